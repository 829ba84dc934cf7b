use inflight_core::{Fairness, KeyOverflow, KeyedHost, KeyedOptions, Reason};
use inflight_test::{TestKeyedGate, count_allocations};

use crate::gates::{assert_empty, limit, options, ticket};

/// What the gate allocated and has not given back, on this thread.
fn retained(act: impl FnOnce()) -> i64 {
    count_allocations(act).1.retained_bytes
}

#[test]
fn a_million_keys_one_after_the_other_leave_nothing() {
    let gate: TestKeyedGate<u32> = TestKeyedGate::new(&KeyedOptions::new(limit(9), limit(1)));
    let pass = |keys: std::ops::Range<u32>| {
        for key in keys {
            drop(gate.expect_admitted(key, ticket()));
        }
    };
    let after_some = retained(|| pass(0..10_000));
    let after_all = retained(|| pass(10_000..1_000_000));
    assert_eq!(after_all, 0, "beside the {after_some} bytes of the first");
    assert!(after_some < 32 * 1024, "{after_some}");
    assert_empty(&gate);
}

/// An attacker who invents keys, and holds on to all that he gets.
#[test]
fn a_million_invented_keys_cost_no_more_than_so_many_as_are_kept() {
    let gate: TestKeyedGate<u32> = TestKeyedGate::new(&KeyedOptions {
        max_keys: 1_000,
        ..KeyedOptions::new(limit(1_000_000), limit(1))
    });
    let mut held = Vec::with_capacity(1_000);
    let kept = retained(|| {
        for key in 0..1_000_000 {
            match gate.try_arrive(key, ticket()) {
                Ok(permit) => held.push(permit),
                Err(refusal) => assert_eq!(refusal.reason(), Reason::TooManyKeys),
            }
        }
    });
    assert_eq!((held.len(), gate.gate().keys()), (1_000, 1_000));
    assert!(kept < 1_000 * 512, "{kept} bytes for a thousand keys");
    let left = kept + retained(|| held.clear());
    assert!(left < 32 * 1024, "{left} bytes are left of a thousand keys");
    assert_empty(&gate);
}

#[test]
fn with_a_shared_key_they_cost_one_more() {
    let gate: TestKeyedGate<u32> = TestKeyedGate::new(&KeyedOptions {
        max_keys: 10,
        overflow: KeyOverflow::Share(inflight_core::KeyPlan::new(limit(1_000_000))),
        ..KeyedOptions::new(limit(1_000_000), limit(1))
    });
    let mut held = Vec::with_capacity(100_000);
    let kept = retained(|| {
        held.extend((0..100_000).map(|key| gate.expect_admitted(key, ticket())));
    });
    assert_eq!(gate.gate().keys(), 10);
    assert!(kept < 10_000, "{kept} bytes for eleven keys");
}

/// The last key takes what the crowd needed with it.
#[test]
fn memory_returns_to_its_start_after_the_last_key_has_gone() {
    let gate: TestKeyedGate<u32> = TestKeyedGate::new(&KeyedOptions {
        fairness: Fairness::RoundRobin,
        ..options(1_000, 2)
    });
    let mut waiters = Vec::with_capacity(9_000);
    let mut running = Vec::with_capacity(2_000);
    let left = retained(|| {
        for key in 0..3_000 {
            for _ in 0..3 {
                match gate.arrive(key, ticket()) {
                    inflight_core::KeyedArrival::Admitted(permit) => running.push(permit),
                    inflight_core::KeyedArrival::Queued(waiter) => waiters.push(waiter),
                    inflight_core::KeyedArrival::Refused(refusal) => panic!("{refusal:?}"),
                }
            }
        }
        assert_eq!(gate.gate().keys(), 3_000);
        waiters.clear();
        running.clear();
    });
    assert_empty(&gate);
    assert!(left < 32 * 1024, "{left} bytes are left of 9,000 callers");
}

#[test]
fn calls_under_keys_that_are_known_allocate_nothing() {
    let gate: TestKeyedGate<u32> = TestKeyedGate::new(&KeyedOptions::new(limit(99), limit(2)));
    let _known: Vec<_> = (0..50)
        .map(|key| gate.expect_admitted(key, ticket()))
        .collect();
    let ((), allocations) = count_allocations(|| {
        for key in 0..50 {
            drop(gate.expect_admitted(key, ticket()));
        }
    });
    assert_eq!(allocations.count, 0);
}
