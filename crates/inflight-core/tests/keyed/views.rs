use inflight_core::{KeyPlan, KeyedGate, KeyedHost, KeyedOptions};
use inflight_test::TestKeyedGate;

use crate::gates::{Gate, gate, limit, options, ticket, weighing};

#[test]
fn a_snapshot_tells_the_totals_and_how_many_keys_there_are() {
    let gate = gate(3, 2);
    let _running = [("a", 2), ("b", 1)].map(|(key, weight)| {
        let ticket = weighing(weight);
        gate.expect_admitted(key, ticket)
    });
    let _waiting = ["a", "c"].map(|key| gate.expect_queued(key, ticket()));
    let snapshot = gate.gate().snapshot();
    assert_eq!((snapshot.keys, snapshot.max_keys), (3, 10_000));
    let total = snapshot.total;
    assert_eq!((total.limit, total.max_limit), (3, 3));
    assert_eq!((total.in_flight, total.available, total.queued), (3, 0, 2));
    assert_eq!(gate.gate().in_flight(), 3);
}

#[test]
fn a_gate_tells_how_many_may_wait_in_all_and_of_one_key() {
    let gate: Gate = TestKeyedGate::new(&KeyedOptions {
        queue_limit: 7,
        key_queue_limit: 3,
        ..options(2, 2)
    });
    assert_eq!(gate.gate().queue_limit(), 7);
    assert_eq!(gate.gate().key_queue_limit(), 3);
}

#[test]
fn a_key_is_shown_while_anything_runs_or_waits_under_it() {
    let gate = gate(2, 2);
    assert_eq!(gate.gate().key(&"a"), None);
    let running = gate.expect_admitted("a", weighing(2));
    let key = gate.gate().key(&"a").expect("it runs");
    assert_eq!(
        (key.limit, key.in_flight, key.available, key.queued),
        (2, 2, 0, 0)
    );
    let waiter = gate.expect_queued("b", ticket());
    let key = gate.gate().key(&"b").expect("it waits");
    assert_eq!((key.in_flight, key.available, key.queued), (0, 2, 1));
    drop((running, waiter));
    assert_eq!(gate.gate().key(&"a"), None);
    assert_eq!(gate.gate().key(&"b"), None);
}

#[test]
fn the_top_keys_are_those_with_the_most_running_and_waiting() {
    let gate = gate(9, 3);
    let _a = gate.expect_admitted("a", ticket());
    let _b = gate.expect_admitted("b", weighing(3));
    let _more_of_b = [0, 1].map(|_| gate.expect_queued("b", ticket()));
    let _c = gate.expect_admitted("c", weighing(2));
    let names = |most| -> Vec<_> {
        let top = gate.gate().top(most).into_iter();
        top.map(|load| load.key.unwrap()).collect()
    };
    assert_eq!(names(0), [""; 0]);
    assert_eq!(names(2), ["b", "c"]);
    assert_eq!(names(9), ["b", "c", "a"]);
    let b = gate.gate().top(1)[0].numbers;
    assert_eq!((b.in_flight, b.queued), (3, 2));
}

#[test]
fn each_key_can_have_a_plan_of_its_own() {
    let plan = |key: &&str| KeyPlan::new(if *key == "paid" { limit(3) } else { limit(1) });
    let gate: Gate = TestKeyedGate::on(KeyedGate::with_plans(&options(9, 9), plan));
    let paid = gate.expect_admitted("paid", weighing(3));
    let free = gate.expect_admitted("free", ticket());
    let _waiters = ["paid", "free"].map(|key| gate.expect_queued(key, ticket()));
    drop((paid, free));
}

/// It is not asked again while the key is known.
#[test]
fn a_plan_is_asked_for_once_as_a_key_comes_to_be_known() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let plan = move |_: &&str| {
        counter.fetch_add(1, Ordering::Relaxed);
        KeyPlan::new(limit(2))
    };
    let gate: Gate = TestKeyedGate::on(KeyedGate::with_plans(&options(9, 9), plan));
    let held = [0, 1].map(|_| gate.expect_admitted("a", ticket()));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    drop(held);
    drop(gate.expect_admitted("a", ticket()));
    assert_eq!(asked.load(Ordering::Relaxed), 2, "it had been forgotten");
}
