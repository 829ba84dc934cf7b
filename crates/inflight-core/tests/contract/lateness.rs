use std::time::Duration;

use inflight_core::Reason;

use crate::gates::{advance, by_priority, patient, plain, priority, ticket, timed, weight};
use crate::line::Line;

// K32
#[test]
fn a_release_refuses_those_who_are_late_and_grants_to_the_next() {
    let gate = plain(1, 3);
    let running = gate.expect_admitted(ticket());
    let mut first = gate.expect_queued(patient(250));
    let mut second = gate.expect_queued(patient(300));
    let mut third = gate.expect_queued(patient(301));
    first.expect_pending();
    third.expect_pending();
    advance(&gate, 300);
    drop(running);
    assert!(first.is_woken() && third.is_woken());
    assert_eq!(
        first.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
    assert_eq!(
        second.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
    assert!(third.expect_ready().is_ok());
    assert_eq!(gate.snapshot().queued, 0);
}

#[test]
fn where_all_are_late_the_room_is_free_after_a_release() {
    let gate = timed(1, 2, 250);
    let running = gate.expect_admitted(ticket());
    let mut waiters = [gate.expect_queued(ticket()), gate.expect_queued(ticket())];
    advance(&gate, 250);
    drop(running);
    assert_eq!(gate.snapshot().available, 1);
    for waiter in &mut waiters {
        assert_eq!(
            waiter.expect_ready().unwrap_err().reason(),
            Reason::QueueTimeout
        );
    }
}

#[test]
fn an_arrival_at_a_full_line_first_removes_those_who_are_late() {
    let gate = by_priority(1, 3);
    let _running = gate.expect_admitted(ticket());
    let short = |value| priority(value).with_max_wait(Duration::from_nanos(10));
    let mut line = Line::new(
        &gate,
        [
            ("late", short(5)),
            ("patient", priority(0)),
            ("late too", short(0)),
        ],
    );
    advance(&gate, 10);
    line.join(&gate, "newcomer", priority(0));
    assert_eq!(line.refused(), ("late", Reason::QueueTimeout));
    // The oldest who is not late ends the search, so this one made no way.
    assert_eq!(gate.expect_refused(priority(0)).reason(), Reason::QueueFull);
    assert!(!line.is_woken());
}

#[test]
fn an_arrival_that_removes_a_late_head_may_be_admitted_in_its_stead() {
    let gate = plain(4, 1);
    let _running = gate.expect_admitted(weight(3));
    let mut heavy = gate.expect_queued(weight(2).with_max_wait(Duration::from_nanos(10)));
    heavy.expect_pending();
    advance(&gate, 10);
    drop(gate.expect_admitted(ticket()));
    assert!(heavy.is_woken());
    assert_eq!(
        heavy.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
}

#[test]
fn one_who_finds_itself_late_lets_in_those_behind_and_is_not_woken() {
    let gate = plain(4, 2);
    let _running = gate.expect_admitted(weight(3));
    let mut heavy = gate.expect_queued(weight(2).with_max_wait(Duration::from_nanos(10)));
    let mut light = gate.expect_queued(ticket());
    heavy.expect_pending();
    light.expect_pending();
    advance(&gate, 10);
    assert!(heavy.expect_ready().is_err());
    assert_eq!((heavy.wakes(), light.wakes()), (0, 1));
    assert!(light.expect_ready().is_ok());
}
