use std::task::Waker;

use inflight_core::{Host, Permit, Wait, Waiter};
use inflight_test::{TestGate, count_allocations};

use crate::gates::{by_priority, priority, ticket};
use crate::waiters::{expect_pending, queue};

const CROWD: usize = 100_000;

/// A line of a hundred thousand, at so many priorities, in no good order.
struct Crowd {
    gate: TestGate,
    priorities: usize,
    running: Option<Permit<TestGate>>,
    waiters: Vec<Option<Waiter<TestGate>>>,
}

impl Crowd {
    fn new(priorities: usize) -> Self {
        let gate = by_priority(1, CROWD);
        let running = gate.expect_admitted(ticket());
        let mut crowd = Self {
            gate,
            priorities,
            running: Some(running),
            waiters: Vec::with_capacity(CROWD),
        };
        for at in 0..CROWD {
            let waiter = crowd.join(at);
            crowd.waiters.push(Some(waiter));
        }
        crowd
    }

    /// The priority of the one at `at`; 7919 is prime to all the numbers here.
    fn priority(&self, at: usize) -> usize {
        at * 7_919 % self.priorities
    }

    fn join(&self, at: usize) -> Waiter<TestGate> {
        let value = i32::try_from(self.priority(at)).expect("there are fewer");
        let mut waiter = queue(&self.gate, priority(value));
        expect_pending(&mut waiter, Waker::noop());
        waiter
    }

    /// Ends the one that runs, after whom the one at `at` has to come.
    fn serve(&mut self, at: usize) {
        let mut waiter = self.waiters[at].take().expect("it waits");
        expect_pending(&mut waiter, Waker::noop());
        self.running = None;
        let Wait::Admitted { permit, .. } = waiter.poll(Waker::noop()) else {
            panic!("{at} is next");
        };
        self.running = Some(permit);
    }

    /// All of them, as they have to be served.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..CROWD).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.priority(*at)));
        order
    }
}

#[track_caller]
fn serves_in_order(priorities: usize) {
    let mut crowd = Crowd::new(priorities);
    assert_eq!(crowd.gate.gate().queued_by_priority().len(), priorities);
    for at in crowd.order() {
        crowd.serve(at);
    }
    assert_eq!(crowd.gate.snapshot().queued, 0);
}

#[track_caller]
fn allocates_nothing_once_it_is_long(priorities: usize) {
    let mut crowd = Crowd::new(priorities);
    let order = crowd.order();
    let (first, last) = (&order[..1_000], &order[CROWD - 1_000..]);
    let ((), allocations) = count_allocations(|| {
        for at in first {
            crowd.serve(*at);
        }
        for at in last {
            crowd.waiters[*at] = None;
        }
        for at in first.iter().chain(last) {
            let waiter = crowd.join(*at);
            crowd.waiters[*at] = Some(waiter);
        }
    });
    assert_eq!(allocations.count, 0);
    assert_eq!(crowd.gate.snapshot().queued, CROWD);
}

#[track_caller]
fn empties_in_any_order(priorities: usize) {
    let mut crowd = Crowd::new(priorities);
    for at in 0..CROWD {
        crowd.waiters[at * 7_919 % CROWD] = None;
    }
    let snapshot = crowd.gate.snapshot();
    assert_eq!((snapshot.queued, snapshot.in_flight), (0, 1));
}

#[test]
fn a_crowd_of_one_priority_is_served_in_order_of_arrival() {
    serves_in_order(1);
}

#[test]
fn a_crowd_of_ten_priorities_is_served_in_order() {
    serves_in_order(10);
}

#[test]
fn a_crowd_of_as_many_priorities_is_served_in_order() {
    serves_in_order(CROWD);
}

#[test]
fn a_long_line_allocates_nothing_at_any_number_of_priorities() {
    for priorities in [1, 10, CROWD] {
        allocates_nothing_once_it_is_long(priorities);
    }
}

#[test]
fn a_crowd_may_leave_in_any_order() {
    for priorities in [1, 10, CROWD] {
        empties_in_any_order(priorities);
    }
}
