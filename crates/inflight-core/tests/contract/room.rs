use inflight_core::Host;
use inflight_test::Task;

use crate::gates::{limit_of, plain, ticket, weight};

#[test]
fn there_is_room_while_less_than_the_limit_is_in_flight() {
    let gate = plain(2, 1);
    assert!(gate.gate().has_room());
    let first = gate.expect_admitted(ticket());
    assert!(gate.gate().has_room());
    let second = gate.expect_admitted(ticket());
    assert!(!gate.gate().has_room());
    gate.set_limit(limit_of(3));
    assert!(gate.gate().has_room());
    gate.set_limit(limit_of(1));
    drop(first);
    assert!(!gate.gate().has_room());
    drop(second);
    assert!(gate.gate().has_room());
}

#[test]
fn there_is_no_room_behind_somebody_who_waits() {
    let gate = plain(3, 1);
    let _running = gate.expect_admitted(weight(2));
    let heavy = gate.expect_queued(weight(2));
    assert_eq!(gate.snapshot().available, 1);
    assert!(!gate.gate().has_room());
    drop(heavy);
    assert!(gate.gate().has_room());
}

#[test]
fn there_is_no_room_in_a_closed_gate() {
    let gate = plain(1, 0);
    gate.close();
    assert!(!gate.gate().has_room());
    assert_eq!(gate.snapshot().available, 1);
}

// F83
#[test]
fn asking_for_room_takes_none() {
    let gate = plain(1, 0);
    (0..10).for_each(|_| assert!(gate.gate().has_room()));
    drop(gate.expect_admitted(ticket()));
}

#[test]
fn while_somebody_watches_it_drain_a_gate_does_not_say_that_it_has_room() {
    let gate = plain(2, 0);
    let running = gate.expect_admitted(ticket());
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    assert!(!gate.gate().has_room());
    drop(gate.expect_admitted(ticket()));
    drop(drained);
    assert!(gate.gate().has_room());
    drop(running);
}
