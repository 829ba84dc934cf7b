use std::task::Waker;

use inflight_core::{GateOptions, Host, Permit, Ticket, Wait, Waiter};
use inflight_test::{CountingWaker, TestGate, count_allocations};

use crate::gates::{
    adaptive, by_priority, limit_of, options, patient, plain, priority, ticket, weight,
};
use crate::waiters::{expect_pending, queue};

const ROUNDS: usize = 10_000;

/// Allocations of a hundred rounds, after one that may warm up.
fn count(mut round: impl FnMut()) -> u64 {
    round();
    count_allocations(|| (0..100).for_each(|_| round())).1.count
}

fn wait(gate: &TestGate, ticket: Ticket, waker: &Waker) -> Waiter<TestGate> {
    let mut waiter = queue(gate, ticket);
    expect_pending(&mut waiter, waker);
    waiter
}

fn granted(mut waiter: Waiter<TestGate>) -> Permit<TestGate> {
    match waiter.poll(Waker::noop()) {
        Wait::Admitted { permit, .. } => permit,
        other => panic!("it is next, but {other:?}"),
    }
}

/// One at a time, and two in a line; a wait that is not measured leaves its
/// node with the permit.
fn lines() -> [TestGate; 2] {
    [false, true].map(|measure_waits| {
        TestGate::new(&GateOptions {
            measure_waits,
            ..options(1, 2)
        })
    })
}

// K124
#[test]
fn what_is_admitted_or_refused_at_once_allocates_nothing() {
    for gate in [plain(2, 0), by_priority(2, 0), adaptive(2, 9, 0)] {
        let ((), allocations) = count_allocations(|| {
            for _ in 0..ROUNDS {
                let heavy = gate.expect_admitted(weight(2));
                gate.expect_refused(ticket());
                gate.expect_refused(weight(u32::MAX));
                gate.expect_refused(patient(0));
                drop(heavy);
                drop(gate.try_arrive(ticket()).unwrap());
            }
        });
        assert_eq!(allocations.count, 0);
    }
}

#[test]
fn a_line_that_was_once_as_long_allocates_nothing_again() {
    for priorities in [1, 11, 12, 100] {
        let gate = by_priority(1, 200);
        let counter = CountingWaker::new();
        let mut waiters = Vec::with_capacity(200);
        let round = || {
            let running = gate.expect_admitted(ticket());
            for at in 0..200 {
                waiters.push(wait(&gate, priority(at % priorities), &counter.waker()));
            }
            gate.expect_refused(priority(i32::MIN));
            gate.set_limit(limit_of(50));
            drop(running);
            waiters.drain(..).rev().for_each(drop);
            gate.set_limit(limit_of(1));
        };
        assert_eq!(count(round), 0, "{priorities} priorities");
    }
}

#[test]
fn evictions_and_deadlines_allocate_nothing() {
    let gate = by_priority(1, 2);
    let counter = CountingWaker::new();
    let _running = gate.expect_admitted(ticket());
    let round = || {
        let mut evicted = wait(&gate, priority(0), &counter.waker());
        let mut late = wait(&gate, patient(10).with_priority(1), &counter.waker());
        let high = wait(&gate, priority(2), &counter.waker());
        gate.clock().set(gate.now() + 10);
        assert!(matches!(evicted.poll(Waker::noop()), Wait::Refused(_)));
        assert!(matches!(late.poll(Waker::noop()), Wait::Refused(_)));
        drop(high);
    };
    assert_eq!(count(round), 0);
}

#[test]
fn hand_overs_in_a_line_that_never_ends_allocate_nothing() {
    for gate in lines() {
        let counter = CountingWaker::new();
        let mut running = Some(gate.expect_admitted(ticket()));
        let mut next = Some(wait(&gate, ticket(), &counter.waker()));
        let round = || {
            let last = wait(&gate, ticket(), &counter.waker());
            drop(running.take());
            running = next.replace(last).map(granted);
        };
        assert_eq!(count(round), 0);
    }
}

#[test]
fn a_line_that_begins_again_and_again_allocates_nothing() {
    for gate in lines() {
        let counter = CountingWaker::new();
        let round = || {
            let running = gate.expect_admitted(ticket());
            let waiter = wait(&gate, ticket(), &counter.waker());
            drop(running);
            drop(granted(waiter));
        };
        assert_eq!(count(round), 0);
    }
}
