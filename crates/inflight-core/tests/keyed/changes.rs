use inflight_core::{KeyedHost, KeyedOptions, Reason};
use inflight_test::{Task, TestKeyedGate};

use crate::gates::{assert_empty, gate, granted, limit, options, refused, ticket, weighing};

#[test]
fn raising_the_total_lets_in_as_many_as_now_fit() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiters = ["a", "b", "c", "d"].map(|key| gate.expect_queued(key, ticket()));
    for waiter in &mut waiters {
        waiter.expect_pending();
    }
    gate.set_limit(limit(3));
    let woken: Vec<_> = waiters.iter().map(Task::is_woken).collect();
    assert_eq!(woken, [false, true, true, false]);
    drop(running);
    drop(waiters);
    assert_empty(&gate);
}

#[test]
fn lowering_the_total_takes_nothing_back() {
    let gate = gate(3, 1);
    let [a, b, c] = ["a", "b", "c"].map(|key| gate.expect_admitted(key, ticket()));
    let mut waiter = gate.expect_queued("d", ticket());
    waiter.expect_pending();
    gate.set_limit(limit(1));
    assert_eq!((gate.total().in_flight, gate.total().available), (3, 0));
    drop((a, b));
    waiter.expect_pending();
    drop(c);
    drop(granted(&mut waiter));
    assert_empty(&gate);
}

#[test]
fn whoever_a_change_lets_in_is_woken_when_the_changer_says() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiter = gate.expect_queued("b", ticket());
    waiter.expect_pending();
    let wakes = gate.resize(limit(2));
    assert!(!waiter.is_woken());
    assert_eq!(gate.total().in_flight, 2);
    drop(wakes);
    assert!(waiter.is_woken());
    drop(running);
}

#[test]
fn the_limit_of_a_key_changes_with_callers_waiting() {
    let gate = gate(9, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiters = [0, 1].map(|_| gate.expect_queued("a", ticket()));
    for waiter in &mut waiters {
        waiter.expect_pending();
    }
    assert!(gate.set_key_limit(&"a", limit(2)));
    assert!(waiters[0].is_woken() && !waiters[1].is_woken());
    assert!(
        gate.set_key_limit(&"a", limit(1)),
        "lowering takes nothing back"
    );
    drop(running);
    assert!(!waiters[1].is_woken(), "one is still running");
    drop(granted(&mut waiters[0]));
    drop(granted(&mut waiters[1]));
    assert_empty(&gate);
}

#[test]
fn the_limit_of_a_key_lasts_as_long_as_the_key() {
    let gate = gate(9, 1);
    assert!(!gate.set_key_limit(&"a", limit(5)), "there is no such key");
    let running = gate.expect_admitted("a", ticket());
    assert!(gate.set_key_limit(&"a", limit(3)));
    let heavy = gate.expect_admitted("a", weighing(2));
    drop((running, heavy));
    let running = gate.expect_admitted("a", ticket());
    assert_eq!(gate.gate().key(&"a").map(|key| key.limit), Some(1));
    drop(running);
}

#[test]
fn a_caller_that_became_heavier_than_its_key_runs_alone_in_it() {
    let gate = gate(9, 3);
    let running = gate.expect_admitted("a", weighing(2));
    let mut heavy = gate.expect_queued("a", weighing(2));
    heavy.expect_pending();
    assert!(gate.set_key_limit(&"a", limit(1)));
    drop(running);
    let heavy = granted(&mut heavy);
    assert_eq!(gate.gate().key(&"a").map(|key| key.in_flight), Some(2));
    drop(heavy);
    assert_empty(&gate);
}

#[test]
fn a_total_with_a_maximum_stays_below_it() {
    let gate = TestKeyedGate::new(&KeyedOptions {
        max_limit: Some(limit(3)),
        ..options(2, 9)
    });
    gate.set_limit(limit(7));
    assert_eq!((gate.total().limit, gate.total().max_limit), (3, 3));
    drop(gate.expect_admitted("a", ticket()));
}

#[test]
fn closing_answers_everyone_who_waits_and_everyone_who_comes() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiters = ["a", "b"].map(|key| gate.expect_queued(key, ticket()));
    for waiter in &mut waiters {
        waiter.expect_pending();
    }
    gate.close();
    assert!(gate.gate().is_closed());
    for waiter in &mut waiters {
        assert!(waiter.is_woken());
        assert_eq!(refused(waiter).reason(), Reason::Closed);
    }
    for key in ["a", "c"] {
        assert_eq!(gate.expect_refused(key, ticket()).reason(), Reason::Closed);
        let refusal = gate.try_arrive(key, ticket()).unwrap_err();
        assert_eq!(refusal.reason(), Reason::Closed);
    }
    assert_eq!(gate.gate().keys(), 1, "what runs ends normally");
    drop(running);
    assert_empty(&gate);
}

#[test]
fn it_is_drained_when_nothing_runs_and_nobody_waits_under_any_key() {
    let gate = gate(1, 1);
    Task::new(gate.drained()).expect_ready();
    let running = gate.expect_admitted("a", ticket());
    let mut waiter = gate.expect_queued("b", ticket());
    waiter.expect_pending();
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    drop(running);
    assert!(!drained.is_woken(), "the next has it");
    drop(granted(&mut waiter));
    assert!(drained.is_woken());
    let again = gate.expect_admitted("c", ticket());
    drained.expect_ready();
    drop(again);
}

#[test]
fn watching_it_drain_changes_nothing_for_the_calls() {
    let gate = gate(2, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    let other = gate.expect_admitted("b", ticket());
    let mut waiter = gate.expect_queued("a", ticket());
    waiter.expect_pending();
    drop(running);
    drop(granted(&mut waiter));
    drop(drained);
    drop(other);
    assert_empty(&gate);
}
