use std::time::Duration;

use inflight_core::{KeyedOptions, Reason, Refusal};
use inflight_test::TestKeyedGate;

use crate::gates::{Gate, gate, limit, options, refused, ticket, waiting};

/// What a refusal says: reason, whether it is the key's, and its numbers.
fn facts(refusal: &Refusal) -> (Reason, bool, [usize; 3]) {
    let numbers = [refusal.limit(), refusal.in_flight(), refusal.queued()];
    (refusal.reason(), refusal.is_of_key(), numbers)
}

fn lines(queue_limit: usize, key_queue_limit: usize) -> Gate {
    TestKeyedGate::new(&KeyedOptions {
        queue_limit,
        key_queue_limit,
        ..KeyedOptions::new(limit(3), limit(1))
    })
}

#[test]
fn a_refusal_names_the_bound_that_refused_and_tells_its_numbers() {
    let gate = lines(3, 1);
    let _running = ["a", "b", "c"].map(|key| gate.expect_admitted(key, ticket()));
    let _a = gate.expect_queued("a", ticket());
    assert_eq!(
        facts(&gate.expect_refused("a", ticket())),
        (Reason::KeyQueueFull, true, [1, 1, 1])
    );
    let _rest = ["d", "e"].map(|key| gate.expect_queued(key, ticket()));
    assert_eq!(
        facts(&gate.expect_refused("f", ticket())),
        (Reason::TotalQueueFull, false, [3, 3, 3])
    );
    assert_eq!(
        facts(&gate.expect_refused("a", ticket())),
        (Reason::KeyQueueFull, true, [1, 1, 1]),
        "its key comes first"
    );
}

#[test]
fn a_wait_in_vain_names_the_bound_that_it_was_for() {
    let gate = gate(2, 1);
    let _running = ["a", "b"].map(|key| gate.expect_admitted(key, ticket()));
    let mut of_key = gate.expect_queued("a", waiting(5));
    let mut of_total = gate.expect_queued("c", waiting(5));
    of_key.expect_pending();
    of_total.expect_pending();
    gate.clock().advance(Duration::from_nanos(7));
    let refusal = refused(&mut of_key);
    assert_eq!(facts(&refusal), (Reason::QueueTimeout, true, [1, 1, 0]));
    assert_eq!(refusal.waited(), Duration::from_nanos(7));
    let refusal = refused(&mut of_total);
    assert_eq!(facts(&refusal), (Reason::QueueTimeout, false, [2, 2, 0]));
}

#[test]
fn no_line_of_one_kind_is_no_line_at_all() {
    for gate in [lines(0, 5), lines(5, 0)] {
        let running = gate.expect_admitted("a", ticket());
        assert_eq!(
            facts(&gate.expect_refused("a", ticket())),
            (Reason::KeyLimit, true, [1, 1, 0])
        );
        let _others = ["b", "c"].map(|key| gate.expect_admitted(key, ticket()));
        assert_eq!(
            facts(&gate.expect_refused("d", ticket())),
            (Reason::TotalLimit, false, [3, 3, 0])
        );
        drop(running);
    }
}

#[test]
fn the_reasons_of_a_keyed_gate_have_stable_names() {
    let names = [
        (Reason::KeyLimit, "key_limit"),
        (Reason::KeyQueueFull, "key_queue_full"),
        (Reason::TooManyKeys, "too_many_keys"),
        (Reason::TotalLimit, "total_limit"),
        (Reason::TotalQueueFull, "total_queue_full"),
    ];
    for (reason, name) in names {
        assert_eq!(reason.as_str(), name);
    }
}

#[test]
fn a_refusal_on_arrival_keeps_all_it_says_in_two_words() {
    let gate = TestKeyedGate::new(&KeyedOptions {
        queue_limit: 0,
        ..options(3, 1)
    });
    let _running = gate.expect_admitted("a", ticket());
    let refusal = gate.expect_refused("a", ticket());
    let unpacked = refusal.pack().expect("it has waited for nothing").unpack();
    assert_eq!(facts(&unpacked), facts(&refusal));
    assert_eq!(unpacked, refusal);
}
