use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use inflight_core::Host;
use inflight_test::{Task, panicking_waker};

use crate::gates::{plain, ticket};
use crate::waiters::{expect_granted, expect_pending, queue};

/// Drops `value` as work does that panics.
fn drop_in_unwinding<T>(value: T) {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let _value = value;
        resume_unwind(Box::new("the work panics"));
    }));
    assert!(outcome.is_err());
}

// F7
#[test]
fn work_that_panics_gives_its_permit_back() {
    let gate = plain(2, 1);
    for _ in 0..10 {
        drop_in_unwinding(gate.expect_admitted(ticket()));
        assert_eq!(gate.snapshot().available, 2);
    }
    gate.close();
    Task::new(gate.drained()).expect_ready();
}

#[test]
fn work_that_panics_hands_its_permit_over() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    waiter.expect_pending();
    drop_in_unwinding(running);
    assert!(waiter.is_woken());
    assert!(waiter.expect_ready().is_ok());
}

#[test]
fn a_waiter_that_is_dropped_in_unwinding_frees_its_place_or_passes_its_grant_on() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    drop_in_unwinding(gate.expect_queued(ticket()));
    assert_eq!(gate.snapshot().queued, 0);
    let granted = gate.expect_queued(ticket());
    let mut next = gate.expect_queued(ticket());
    drop(running);
    drop_in_unwinding(granted);
    assert!(next.expect_ready().is_ok());
}

#[test]
fn a_waker_that_panics_in_unwinding_aborts_nothing() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = queue(&gate, ticket());
    expect_pending(&mut waiter, &panicking_waker());
    drop_in_unwinding(running);
    expect_granted(&mut waiter);
    assert_eq!(gate.snapshot().available, 1);
}
