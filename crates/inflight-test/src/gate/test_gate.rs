use std::sync::Arc;

use inflight_core::{Arrival, Gate, GateOptions, Host, Permit, Refusal, Snapshot, Ticket};

use super::Queued;
use crate::{ManualClock, Task};

/// A gate on a clock that is moved by hand.
///
/// Clones are the same gate on the same clock.
///
/// ```
/// use inflight_core::{GateOptions, Limit, Ticket};
/// use inflight_test::TestGate;
///
/// let gate = TestGate::new(&GateOptions {
///     queue_limit: 1,
///     ..GateOptions::new(Limit::ONE)
/// });
/// let first = gate.expect_admitted(Ticket::new());
/// let mut second = gate.expect_queued(Ticket::new());
/// second.expect_pending();
///
/// drop(first);
/// assert!(second.is_woken());
/// let permit = second.expect_ready().unwrap();
/// assert_eq!(permit.weight(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct TestGate {
    gate: Arc<Gate>,
    clock: ManualClock,
}

impl TestGate {
    /// Builds the gate, at time zero.
    pub fn new(options: &GateOptions) -> Self {
        Self {
            gate: Arc::new(Gate::new(options)),
            clock: ManualClock::new(),
        }
    }

    /// Lets a call arrive that has to be admitted at once.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn expect_admitted(&self, ticket: Ticket) -> Permit<Self> {
        match self.arrive(ticket) {
            Arrival::Admitted(permit) => permit,
            other => panic!("{ticket:?} should be admitted: {other:?}"),
        }
    }

    /// Lets a call arrive that has to join the line; it is not polled yet.
    ///
    /// # Panics
    ///
    /// If it does not.
    #[track_caller]
    pub fn expect_queued(&self, ticket: Ticket) -> Task<Queued<Self>> {
        match self.arrive(ticket) {
            Arrival::Queued(waiter) => Task::new(Queued::new(waiter)),
            other => panic!("{ticket:?} should be queued: {other:?}"),
        }
    }

    /// Lets a call arrive that has to be refused at once.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn expect_refused(&self, ticket: Ticket) -> Refusal {
        match self.arrive(ticket) {
            Arrival::Refused(refusal) => refusal,
            other => panic!("{ticket:?} should be refused: {other:?}"),
        }
    }

    /// The clock that the gate goes by.
    pub fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// The gate's numbers as they stand together.
    pub fn snapshot(&self) -> Snapshot {
        self.gate.snapshot()
    }
}

impl Host for TestGate {
    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn now(&self) -> u64 {
        self.clock.now()
    }
}
