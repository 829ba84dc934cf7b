use std::collections::BTreeMap;
use std::time::Duration;

use inflight_core::{GateOptions, Host, Reason};
use inflight_test::TestGate;

use crate::gates::{by_priority, options, patient, priority, ticket};
use crate::line::Line;

// K43
#[test]
fn the_newest_of_the_lowest_priority_makes_way() {
    let gate = by_priority(1, 4);
    let running = gate.expect_admitted(ticket());
    let mut line = Line::new(
        &gate,
        [
            ("1", priority(i32::MIN)),
            ("2", priority(i32::MIN)),
            ("3", priority(7)),
            ("4", priority(7)),
        ],
    );
    let before = gate.gate().queued_by_priority();
    line.join(&gate, "5", priority(i32::MAX));
    assert_eq!(line.refused(), ("2", Reason::QueueEvicted));
    assert_eq!(
        gate.gate().queued_by_priority(),
        BTreeMap::from([(i32::MIN, 1), (7, 2), (i32::MAX, 1)])
    );
    assert_eq!(before, BTreeMap::from([(i32::MIN, 2), (7, 2)]));
    assert_eq!(line.served_after(running), ["5", "3", "4", "1"]);
    assert_eq!(gate.snapshot().queued, 0);
}

// K44
#[test]
fn an_equal_or_a_lower_priority_evicts_nobody() {
    let gate = by_priority(1, 2);
    let running = gate.expect_admitted(ticket());
    let line = Line::new(&gate, [("1", ticket()), ("2", priority(0))]);
    assert_eq!(gate.expect_refused(priority(0)).reason(), Reason::QueueFull);
    assert_eq!(
        gate.expect_refused(priority(-1)).reason(),
        Reason::QueueFull
    );
    assert_eq!(gate.gate().queued_by_priority(), BTreeMap::from([(0, 2)]));
    assert_eq!(line.served_after(running), ["1", "2"]);
}

// K53, F39
#[test]
fn of_two_equals_the_newer_is_evicted() {
    let gate = by_priority(1, 2);
    let running = gate.expect_admitted(ticket());
    let mut line = Line::new(&gate, [("a", priority(1)), ("b", priority(1))]);
    assert_eq!(gate.expect_refused(priority(1)).reason(), Reason::QueueFull);
    line.join(&gate, "c", priority(2));
    assert_eq!(line.refused(), ("b", Reason::QueueEvicted));
    assert_eq!(line.served_after(running), ["c", "a"]);
}

// F43
#[test]
fn the_lowest_is_evicted_wherever_it_stands() {
    let gate = by_priority(1, 3);
    let running = gate.expect_admitted(ticket());
    let mut line = Line::new(
        &gate,
        [("5", priority(5)), ("1", priority(1)), ("3", priority(3))],
    );
    line.join(&gate, "4", priority(4));
    assert_eq!(line.refused(), ("1", Reason::QueueEvicted));
    assert_eq!(line.served_after(running), ["5", "4", "3"]);
}

// K52
#[test]
fn without_a_line_nobody_is_evicted() {
    let gate = by_priority(10, 0);
    let _running: Vec<_> = (0..10)
        .map(|_| gate.expect_admitted(priority(-1)))
        .collect();
    let refusal = gate.expect_refused(priority(i32::MAX));
    assert_eq!(refusal.reason(), Reason::LimitReached);
    assert_eq!(gate.snapshot().in_flight, 10);
}

// K56
#[test]
fn what_runs_is_never_evicted() {
    let gate = by_priority(1, 1);
    let running = gate.expect_admitted(priority(-100));
    let mut line = Line::new(&gate, [("low", priority(0))]);
    line.join(&gate, "high", priority(100));
    assert_eq!(line.refused(), ("low", Reason::QueueEvicted));
    assert_eq!(gate.snapshot().in_flight, 1);
    assert_eq!(line.served_after(running), ["high"]);
}

#[test]
fn what_was_granted_is_never_evicted() {
    let gate = by_priority(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut granted = gate.expect_queued(priority(i32::MIN));
    drop(running);
    let _low = gate.expect_queued(priority(0));
    let mut high = gate.expect_queued(priority(1));
    high.expect_pending();
    assert!(granted.expect_ready().is_ok());
}

// K58
#[test]
fn one_who_is_evicted_and_dropped_unpolled_frees_no_second_place() {
    let gate = by_priority(1, 1);
    let running = gate.expect_admitted(ticket());
    let low = gate.expect_queued(priority(0));
    let line = Line::new(&gate, [("high", priority(1))]);
    drop(low);
    assert_eq!(gate.snapshot().queued, 1);
    assert_eq!(gate.expect_refused(priority(1)).reason(), Reason::QueueFull);
    assert_eq!(line.served_after(running), ["high"]);
    assert_eq!(gate.snapshot().available, 1);
}

// K59
#[test]
fn a_place_is_free_as_soon_as_its_waiter_is_granted() {
    let gate = by_priority(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut granted = gate.expect_queued(priority(3));
    drop(running);
    let mut equal = gate.expect_queued(priority(3));
    equal.expect_pending();
    assert!(granted.expect_ready().is_ok());
}

#[test]
fn trying_evicts_nobody() {
    let gate = by_priority(1, 1);
    let running = gate.expect_admitted(ticket());
    let line = Line::new(&gate, [("low", priority(0))]);
    let refusal = gate.try_arrive(priority(100)).unwrap_err();
    assert_eq!(refusal.reason(), Reason::LimitReached);
    assert_eq!(line.served_after(running), ["low"]);
}

#[test]
fn an_arrival_that_fits_and_is_next_evicts_nobody() {
    let gate = by_priority(4, 1);
    let _running = gate.expect_admitted(ticket().with_weight(3));
    let mut heavy = gate.expect_queued(priority(0).with_weight(2));
    let permit = gate.expect_admitted(priority(1));
    heavy.expect_pending();
    drop(permit);
    heavy.expect_pending();
}

/// Its deadline lies behind the end of time, and so is none.
#[test]
fn a_wait_that_no_time_ends_is_not_measured() {
    let gate = TestGate::new(&GateOptions {
        by_priority: true,
        measure_waits: false,
        ..options(1, 1)
    });
    gate.clock().set(2);
    let _running = gate.expect_admitted(ticket());
    let mut endless = gate.expect_queued(patient(u64::MAX - 1));
    gate.clock().set(5);
    let _better = gate.expect_queued(priority(1));
    let refusal = endless.expect_ready().unwrap_err();
    assert_eq!(refusal.reason(), Reason::QueueEvicted);
    assert_eq!(refusal.waited(), Duration::ZERO);
}
