use std::thread;
use std::time::Duration;

use inflight_core::{Host, Wait};
use inflight_test::{CountingWaker, Task};

use crate::gates::{limit_of, patient, plain, ticket};
use crate::waiters::{expect_granted, expect_pending, queue};

// F169
#[test]
fn only_the_last_waker_is_woken() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let (first, second) = (CountingWaker::new(), CountingWaker::new());
    let mut waiter = queue(&gate, ticket());
    expect_pending(&mut waiter, &first.waker());
    expect_pending(&mut waiter, &second.waker());
    assert_eq!((first.wakers(), second.wakers()), (0, 1));
    drop(running);
    assert_eq!((first.wakes(), second.wakes()), (0, 1));
    assert_eq!(second.wakers(), 0);
    expect_granted(&mut waiter);
}

#[test]
fn a_waker_that_comes_again_is_kept_and_not_cloned() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let counter = CountingWaker::new();
    let mut waiter = queue(&gate, ticket());
    for _ in 0..10 {
        expect_pending(&mut waiter, &counter.waker());
        assert_eq!(counter.wakers(), 1);
    }
    drop(waiter);
    assert_eq!(counter.wakers(), 0);
    drop(running);
    assert_eq!(counter.wakes(), 0);
}

#[test]
fn one_who_is_answered_before_its_first_poll_keeps_no_waker() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let counter = CountingWaker::new();
    let mut waiter = queue(&gate, ticket());
    drop(running);
    assert!(matches!(
        waiter.poll(&counter.waker()),
        Wait::Admitted { .. }
    ));
    assert_eq!((counter.wakes(), counter.wakers()), (0, 0));
}

// F177
#[test]
fn a_wait_takes_two_polls_and_one_wake() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    for ticket in [ticket(), patient(1_000)] {
        let mut waiter = gate.expect_queued(ticket);
        waiter.expect_pending();
        gate.clock().advance(Duration::from_nanos(10));
        assert!(!waiter.is_woken());
        gate.set_limit(limit_of(2));
        assert_eq!(waiter.wakes(), 1);
        drop(waiter.expect_ready().unwrap());
        assert_eq!((waiter.wakes(), waiter.polls()), (1, 2));
        gate.set_limit(limit_of(1));
    }
    drop(running);
}

// F25
#[test]
fn each_of_two_who_wait_is_woken_and_served() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    let mut waiters = [
        gate.expect_queued(ticket()),
        gate.clone().expect_queued(ticket()),
    ];
    waiters.iter_mut().for_each(Task::expect_pending);
    drop(running);
    let first = waiters[0].expect_ready().unwrap();
    assert!(!waiters[1].is_woken());
    drop(first);
    assert!(waiters[1].is_woken());
    assert!(waiters[1].expect_ready().is_ok());
}

#[test]
fn a_waiter_may_move_between_threads() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let (here, there) = (CountingWaker::new(), CountingWaker::new());
    let mut waiter = queue(&gate, ticket());
    expect_pending(&mut waiter, &here.waker());
    let mut waiter = thread::spawn({
        let there = there.clone();
        move || {
            expect_pending(&mut waiter, &there.waker());
            waiter
        }
    })
    .join()
    .unwrap();
    thread::spawn(move || drop(running)).join().unwrap();
    assert_eq!((here.wakes(), there.wakes()), (0, 1));
    expect_granted(&mut waiter);
}
