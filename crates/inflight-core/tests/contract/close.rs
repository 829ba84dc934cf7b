use std::time::Duration;

use inflight_core::{Host, Reason};

use crate::gates::{limit_of, patient, plain, ticket, timed, weight};

// F23
#[test]
fn closing_answers_all_who_wait_and_all_who_come_later() {
    let gate = plain(1, 3);
    let running = gate.expect_admitted(ticket());
    let mut waiters: Vec<_> = (0..3).map(|_| gate.expect_queued(ticket())).collect();
    waiters[0].expect_pending();
    waiters[2].expect_pending();
    gate.close();
    assert_eq!(
        (waiters[0].wakes(), waiters[1].wakes(), waiters[2].wakes()),
        (1, 0, 1)
    );
    for waiter in &mut waiters {
        assert_eq!(waiter.expect_ready().unwrap_err().reason(), Reason::Closed);
    }
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::Closed);
    assert_eq!(gate.snapshot().in_flight, 1);
    drop(running);
    assert_eq!(gate.snapshot().in_flight, 0);
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::Closed);
    assert_eq!(
        gate.try_arrive(ticket()).unwrap_err().reason(),
        Reason::Closed
    );
}

#[test]
fn closing_is_told_before_any_other_reason() {
    let gate = timed(1, 0, 1);
    gate.close();
    for ticket in [ticket(), weight(9), patient(0)] {
        assert_eq!(gate.expect_refused(ticket).reason(), Reason::Closed);
    }
}

#[test]
fn closing_again_does_nothing() {
    let gate = plain(1, 1);
    assert!(!gate.gate().is_closed());
    gate.close();
    gate.close();
    assert!(gate.gate().is_closed());
    assert_eq!(gate.snapshot().queued, 0);
}

#[test]
fn a_grant_made_before_closing_stands() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    drop(running);
    gate.close();
    let permit = waiter.expect_ready().unwrap();
    assert_eq!(gate.snapshot().in_flight, 1);
    drop(permit);
    assert_eq!(gate.snapshot().in_flight, 0);
}

#[test]
fn one_who_is_past_its_deadline_when_all_are_sent_away_is_told_closed() {
    let gate = timed(1, 1, 10);
    let _running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    gate.clock().advance(Duration::from_nanos(20));
    gate.close();
    let refusal = waiter.expect_ready().unwrap_err();
    assert_eq!(
        (refusal.reason(), refusal.waited()),
        (Reason::Closed, Duration::from_nanos(20))
    );
}

#[test]
fn the_limit_of_a_closed_gate_may_still_change() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    gate.close();
    gate.set_limit(limit_of(9));
    assert_eq!((gate.snapshot().limit, gate.snapshot().in_flight), (9, 1));
    drop(running);
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::Closed);
}
