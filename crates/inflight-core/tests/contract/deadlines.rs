use std::time::Duration;

use inflight_core::{Arrival, Host, Reason, Wait};
use inflight_test::CountingWaker;

use crate::gates::{advance, by_priority, patient, plain, priority, ticket, timed};

// K29
#[test]
fn at_its_deadline_exactly_a_waiter_is_too_late() {
    let gate = timed(1, 2, 250);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    advance(&gate, 249);
    waiter.expect_pending();
    advance(&gate, 1);
    let refusal = waiter.expect_ready().unwrap_err();
    assert_eq!(refusal.reason(), Reason::QueueTimeout);
    assert_eq!(refusal.waited(), Duration::from_nanos(250));
    assert_eq!(gate.snapshot().queued, 0);
    drop(running);
    drop(gate.expect_admitted(ticket()));
}

// K37, F69
#[test]
fn a_grant_before_the_deadline_stands_however_late_it_is_fetched() {
    let gate = timed(1, 2, 250);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    waiter.expect_pending();
    advance(&gate, 249);
    drop(running);
    gate.clock().advance(Duration::from_secs(86_400));
    assert!(waiter.expect_ready().is_ok());
}

// K38
#[test]
fn each_waiter_has_its_own_deadline() {
    let gate = timed(1, 3, 100);
    let _running = gate.expect_admitted(ticket());
    let mut first = gate.expect_queued(ticket());
    advance(&gate, 50);
    let mut second = gate.expect_queued(ticket());
    advance(&gate, 50);
    assert_eq!(
        first.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
    second.expect_pending();
    assert_eq!(gate.snapshot().queued, 1);
    advance(&gate, 50);
    assert_eq!(
        second.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
    assert_eq!(gate.snapshot().queued, 0);
}

// K40
#[test]
fn the_place_of_one_who_is_told_that_it_is_late_is_free() {
    let gate = timed(1, 1, 100);
    let _running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    advance(&gate, 100);
    assert!(waiter.expect_ready().is_err());
    drop(gate.expect_queued(ticket()));
}

// K46
#[test]
fn lateness_goes_by_the_clock_and_not_by_priority() {
    let gate = timed(1, 2, 500);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(priority(10));
    advance(&gate, 500);
    assert_eq!(
        waiter.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
    drop(running);
    let admitted = gate.expect_admitted(priority(-10));
    gate.clock().advance(Duration::from_secs(86_400));
    assert_eq!(gate.snapshot().in_flight, 1);
    drop(admitted);
    assert_eq!(gate.snapshot().in_flight, 0);
}

// F47
#[test]
fn one_who_is_passed_by_higher_priorities_is_told_at_its_deadline() {
    let gate = by_priority(1, 2);
    let mut running = gate.expect_admitted(priority(9));
    let mut low = gate.expect_queued(priority(0).with_max_wait(Duration::from_nanos(100)));
    for _ in 0..10 {
        let mut high = gate.expect_queued(priority(9));
        low.expect_pending();
        advance(&gate, 10);
        drop(running);
        running = high.expect_ready().unwrap();
    }
    assert_eq!(
        low.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
}

#[test]
fn the_smaller_of_both_bounds_counts() {
    let gate = timed(1, 2, 100);
    let _running = gate.expect_admitted(ticket());
    let mut short = gate.expect_queued(patient(30));
    let mut long = gate.expect_queued(patient(1_000));
    advance(&gate, 30);
    assert!(short.expect_ready().is_err());
    advance(&gate, 69);
    long.expect_pending();
    advance(&gate, 1);
    assert!(long.expect_ready().is_err());
}

#[test]
fn a_ticket_without_patience_is_refused_even_where_there_is_room() {
    let gate = plain(1, 1);
    assert_eq!(
        gate.expect_refused(patient(0)).reason(),
        Reason::QueueTimeout
    );
    assert_eq!(
        gate.try_arrive(patient(0)).unwrap_err().reason(),
        Reason::QueueTimeout
    );
    assert_eq!(gate.snapshot().in_flight, 0);
}

#[test]
fn a_waiter_says_when_it_has_to_be_polled_again() {
    let gate = plain(1, 2);
    gate.clock().set(1_000);
    let _running = gate.expect_admitted(ticket());
    let deadline = |ticket| {
        let Arrival::Queued(mut waiter) = gate.arrive(ticket) else {
            panic!("the line has places");
        };
        match waiter.poll(&CountingWaker::new().waker()) {
            Wait::Pending { deadline } => deadline,
            other => panic!("nothing has ended: {other:?}"),
        }
    };
    assert_eq!(deadline(patient(250)), Some(1_250));
    assert_eq!(deadline(ticket()), None);
}

// F1
#[test]
fn waiters_that_expire_burn_no_permits() {
    let gate = timed(2, 2, 50);
    for _ in 0..100 {
        let running = [
            gate.expect_admitted(ticket()),
            gate.expect_admitted(ticket()),
        ];
        let mut waiters = [gate.expect_queued(ticket()), gate.expect_queued(ticket())];
        advance(&gate, 50);
        for waiter in &mut waiters {
            assert!(waiter.expect_ready().is_err());
        }
        drop(running);
        let snapshot = gate.snapshot();
        assert_eq!((snapshot.in_flight, snapshot.queued), (0, 0));
    }
}

// K31
#[test]
fn nothing_happens_at_the_deadline_of_one_who_left() {
    let gate = timed(1, 2, 1_000);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    waiter.expect_pending();
    drop(waiter);
    assert_eq!(gate.snapshot().queued, 0);
    advance(&gate, 1_000);
    drop(running);
    assert_eq!(gate.snapshot().available, 1);
}

// K28, F181
#[test]
fn work_that_waits_for_its_own_permit_is_told_at_the_deadline() {
    let gate = timed(1, 1, 100);
    let outer = gate.expect_admitted(ticket());
    let mut inner = gate.expect_queued(ticket());
    inner.expect_pending();
    advance(&gate, 100);
    assert_eq!(
        inner.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
    drop(outer);
    assert_eq!(gate.snapshot().available, 1);
}
