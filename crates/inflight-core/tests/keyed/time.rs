use std::time::Duration;

use inflight_core::{KeyedHost, KeyedOptions, Reason};
use inflight_test::TestKeyedGate;

use crate::gates::{Gate, assert_empty, gate, granted, limit, options, refused, ticket, waiting};

fn advance(gate: &Gate, nanos: u64) {
    gate.clock().advance(Duration::from_nanos(nanos));
}

#[test]
fn the_smaller_of_the_two_timeouts_counts() {
    let gate = TestKeyedGate::new(&KeyedOptions {
        queue_timeout: Some(Duration::from_nanos(10)),
        ..options(1, 1)
    });
    let running = gate.expect_admitted("a", ticket());
    let mut default = gate.expect_queued("a", ticket());
    let mut own = gate.expect_queued("b", waiting(4));
    default.expect_pending();
    own.expect_pending();
    advance(&gate, 4);
    assert_eq!(refused(&mut own).reason(), Reason::QueueTimeout);
    default.expect_pending();
    advance(&gate, 6);
    assert_eq!(refused(&mut default).reason(), Reason::QueueTimeout);
    drop(running);
    assert_empty(&gate);
}

#[test]
fn a_zero_wait_is_a_timeout_even_where_both_have_room() {
    let gate = gate(5, 5);
    let refusal = gate.expect_refused("a", waiting(0));
    assert_eq!(refusal.reason(), Reason::QueueTimeout);
    assert_empty(&gate);
}

#[test]
fn a_release_passes_over_those_of_any_key_who_are_too_late() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut late = gate.expect_queued("b", waiting(5));
    let mut next = gate.expect_queued("c", ticket());
    late.expect_pending();
    next.expect_pending();
    advance(&gate, 5);
    drop(running);
    assert!(late.is_woken() && next.is_woken());
    assert_eq!(refused(&mut late).reason(), Reason::QueueTimeout);
    drop(granted(&mut next));
    assert_empty(&gate);
}

#[test]
fn a_grant_made_in_time_stands_however_late_it_is_fetched() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiter = gate.expect_queued("a", waiting(5));
    waiter.expect_pending();
    advance(&gate, 4);
    drop(running);
    advance(&gate, 4);
    drop(granted(&mut waiter));
    assert_empty(&gate);
}

#[test]
fn a_full_line_first_lets_those_go_whose_time_has_come() {
    let gate = TestKeyedGate::new(&KeyedOptions {
        queue_limit: 2,
        key_queue_limit: 1,
        ..KeyedOptions::new(limit(1), limit(1))
    });
    let _running = gate.expect_admitted("x", ticket());
    let mut of_a = gate.expect_queued("a", waiting(5));
    let mut of_b = gate.expect_queued("b", waiting(6));
    assert_eq!(
        gate.expect_refused("a", ticket()).reason(),
        Reason::KeyQueueFull
    );
    assert_eq!(
        gate.expect_refused("c", ticket()).reason(),
        Reason::TotalQueueFull
    );
    advance(&gate, 5);
    let _in_its_place = gate.expect_queued("a", ticket());
    assert_eq!(refused(&mut of_a).reason(), Reason::QueueTimeout);
    advance(&gate, 1);
    let _another_key = gate.expect_queued("c", ticket());
    assert_eq!(refused(&mut of_b).reason(), Reason::QueueTimeout);
}

#[test]
fn a_call_that_does_not_wait_takes_the_room_that_late_ones_held() {
    let gate = TestKeyedGate::new(&KeyedOptions {
        queue_limit: 1,
        ..options(2, 2)
    });
    let running = gate.expect_admitted("a", ticket());
    let mut heavy = gate.expect_queued("b", waiting(5).with_weight(2));
    assert_eq!(
        gate.try_arrive("c", ticket()).unwrap_err().reason(),
        Reason::TotalLimit
    );
    advance(&gate, 5);
    drop((gate.try_arrive("c", ticket()).unwrap(), running));
    assert_eq!(refused(&mut heavy).reason(), Reason::QueueTimeout);
    assert_empty(&gate);
}
