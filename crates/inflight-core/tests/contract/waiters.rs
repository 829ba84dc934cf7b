use std::task::Waker;

use inflight_core::{Arrival, Host, Ticket, Wait, Waiter};
use inflight_test::TestGate;

pub(crate) fn queue(gate: &TestGate, ticket: Ticket) -> Waiter<TestGate> {
    match gate.arrive(ticket) {
        Arrival::Queued(waiter) => waiter,
        other => panic!("the line has places: {other:?}"),
    }
}

#[track_caller]
pub(crate) fn expect_pending(waiter: &mut Waiter<TestGate>, waker: &Waker) {
    assert!(matches!(waiter.poll(waker), Wait::Pending { .. }));
}

#[track_caller]
pub(crate) fn expect_granted(waiter: &mut Waiter<TestGate>) {
    assert!(matches!(waiter.poll(Waker::noop()), Wait::Admitted { .. }));
}
