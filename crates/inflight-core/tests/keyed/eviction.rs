use std::time::Duration;

use inflight_core::{KeyedOptions, Reason};
use inflight_test::TestKeyedGate;

use crate::gates::{Gate, granted, limit, options, prior, refused, ticket, waiting};

fn by_priority(queue_limit: usize, key_queue_limit: usize) -> Gate {
    TestKeyedGate::new(&KeyedOptions {
        queue_limit,
        key_queue_limit,
        by_priority: true,
        ..KeyedOptions::new(limit(1), limit(1))
    })
}

#[test]
fn within_a_key_the_highest_priority_is_next() {
    let gate = by_priority(9, 9);
    let mut running = gate.expect_admitted("a", prior(0));
    let mut low = gate.expect_queued("a", prior(-1));
    let mut high = gate.expect_queued("a", prior(5));
    let mut next = gate.expect_queued("a", prior(5));
    for waiter in [&mut high, &mut next, &mut low] {
        drop(running);
        running = granted(waiter);
    }
    drop(running);
}

#[test]
fn between_keys_priorities_do_not_count() {
    let gate = by_priority(9, 9);
    let running = gate.expect_admitted("x", prior(0));
    let mut early = gate.expect_queued("a", prior(-9));
    let mut late = gate.expect_queued("b", prior(9));
    drop(running);
    let running = granted(&mut early);
    late.expect_pending();
    drop(running);
    drop(granted(&mut late));
}

#[test]
fn a_full_key_gives_up_its_newest_of_the_lowest_priority() {
    let gate = by_priority(9, 3);
    let _running = gate.expect_admitted("a", prior(0));
    let mut older = gate.expect_queued("a", prior(1));
    let mut newer = gate.expect_queued("a", prior(1));
    let mut above = gate.expect_queued("a", prior(2));
    assert_eq!(
        gate.expect_refused("a", prior(1)).reason(),
        Reason::KeyQueueFull
    );
    let mut highest = gate.expect_queued("a", prior(3));
    let refusal = refused(&mut newer);
    assert_eq!(refusal.reason(), Reason::QueueEvicted);
    assert!(refusal.is_of_key());
    for waiter in [&mut older, &mut above, &mut highest] {
        waiter.expect_pending();
    }
}

#[test]
fn a_full_total_never_costs_another_key_its_place() {
    let gate = by_priority(2, 2);
    let _running = gate.expect_admitted("x", prior(0));
    let mut of_a = gate.expect_queued("a", prior(-5));
    let mut of_b = gate.expect_queued("b", prior(0));
    assert_eq!(
        gate.expect_refused("c", prior(9)).reason(),
        Reason::TotalQueueFull
    );
    let mut better = gate.expect_queued("b", prior(1));
    let refusal = refused(&mut of_b);
    assert_eq!(refusal.reason(), Reason::QueueEvicted);
    assert!(!refusal.is_of_key());
    of_a.expect_pending();
    better.expect_pending();
}

/// The heavy one that is evicted had held up another key.
#[test]
fn whoever_an_eviction_makes_room_for_is_let_in_at_once() {
    use crate::gates::weighing;
    let gate = TestKeyedGate::new(&KeyedOptions {
        queue_limit: 9,
        key_queue_limit: 1,
        by_priority: true,
        ..KeyedOptions::new(limit(3), limit(3))
    });
    let _running = gate.expect_admitted("x", weighing(2));
    let mut heavy = gate.expect_queued("a", weighing(3).with_priority(-1));
    let mut other = gate.expect_queued("b", prior(0));
    other.expect_pending();
    let mut light = gate.expect_queued("a", prior(0));
    assert_eq!(refused(&mut heavy).reason(), Reason::QueueEvicted);
    assert!(other.is_woken(), "nobody stands before it any more");
    drop(granted(&mut other));
    drop(granted(&mut light));
}

/// Its deadline lies behind the end of time, and so is none.
#[test]
fn a_wait_that_no_time_ends_is_not_measured() {
    let gate = TestKeyedGate::new(&KeyedOptions {
        key_queue_limit: 1,
        by_priority: true,
        measure_waits: false,
        ..options(1, 1)
    });
    gate.clock().set(2);
    let _running = gate.expect_admitted("a", ticket());
    let mut endless = gate.expect_queued("a", waiting(u64::MAX - 1).with_priority(-1));
    gate.clock().set(5);
    let _better = gate.expect_queued("a", prior(0));
    let refusal = refused(&mut endless);
    assert_eq!(refusal.reason(), Reason::QueueEvicted);
    assert_eq!(refusal.waited(), Duration::ZERO);
}
