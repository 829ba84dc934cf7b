//! `inflight_core::Gate` under a clock that is moved by hand.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::task::Waker;
use std::time::Duration;

use inflight_core::{Arrival, Gate, GateOptions, Host, Limit, Permit, Ticket, Wait, Waiter};

use crate::subject::Subject;

/// Keeps `waiting` callers in the line; an operation is one that reaches its deadline, is told so,
/// and is replaced by a new one.
pub fn expiring(waiting: usize) -> Subject {
    let host = ByHand::new(waiting);
    let held = host.hold();
    let arrivals = (0..waiting).map(|_| {
        host.advance();
        host.join()
    });
    let mut line: VecDeque<_> = arrivals.collect();
    Subject::repeated(move || {
        host.advance();
        let mut oldest = line.pop_front().expect("somebody waits");
        let told = oldest.poll(Waker::noop());
        assert!(matches!(told, Wait::Refused(_)), "its deadline has come");
        line.push_back(host.join());
    })
    .keeping(held)
}

/// A gate of one permit, and the time in nanoseconds.
#[derive(Clone)]
struct ByHand(Rc<(Gate, Cell<u64>, Duration)>);

impl ByHand {
    /// Each step of the clock brings the oldest of `waiting` callers to its deadline.
    fn new(waiting: usize) -> Self {
        let longest = Duration::from_nanos(waiting as u64);
        let options = GateOptions {
            queue_limit: usize::MAX,
            ..GateOptions::new(Limit::ONE)
        };
        Self(Rc::new((Gate::new(&options), Cell::new(0), longest)))
    }

    fn hold(&self) -> Permit<Self> {
        self.try_arrive(Ticket::new())
            .expect("nobody has the permit")
    }

    fn join(&self) -> Waiter<Self> {
        let ticket = Ticket::new().with_max_wait(self.0.2);
        let Arrival::Queued(mut waiter) = self.arrive(ticket) else {
            panic!("a caller waits in the line");
        };
        let told = waiter.poll(Waker::noop());
        assert!(matches!(told, Wait::Pending { .. }), "there is time left");
        waiter
    }

    fn advance(&self) {
        self.0.1.set(self.now() + 1);
    }
}

impl Host for ByHand {
    fn gate(&self) -> &Gate {
        &self.0.0
    }

    fn now(&self) -> u64 {
        self.0.1.get()
    }
}
