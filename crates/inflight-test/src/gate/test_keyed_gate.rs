use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use inflight_core::{
    KeyedArrival, KeyedGate, KeyedHost, KeyedOptions, KeyedPermit, Refusal, Snapshot, Ticket,
};

use super::KeyedQueued;
use crate::{ManualClock, Task};

/// A keyed gate on a clock that is moved by hand.
///
/// Clones are the same gate on the same clock.
///
/// ```
/// use inflight_core::{KeyedOptions, Limit, Ticket};
/// use inflight_test::TestKeyedGate;
///
/// let gate = TestKeyedGate::new(&KeyedOptions {
///     queue_limit: 1,
///     key_queue_limit: 1,
///     ..KeyedOptions::new(Limit::MAX, Limit::ONE)
/// });
/// let first = gate.expect_admitted("a", Ticket::new());
/// let mut second = gate.expect_queued("a", Ticket::new());
/// second.expect_pending();
///
/// drop(first);
/// assert!(second.is_woken());
/// assert_eq!(second.expect_ready().unwrap().weight(), 1);
/// ```
#[derive(Debug)]
pub struct TestKeyedGate<K> {
    gate: Arc<KeyedGate<K>>,
    clock: ManualClock,
}

impl<K> TestKeyedGate<K> {
    /// Builds the gate with one plan for all keys, at time zero.
    pub fn new(options: &KeyedOptions) -> Self {
        Self::on(KeyedGate::new(options))
    }

    /// Takes a gate over, at time zero.
    pub fn on(gate: KeyedGate<K>) -> Self {
        Self {
            gate: Arc::new(gate),
            clock: ManualClock::new(),
        }
    }

    /// The clock that the gate goes by.
    pub fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// The numbers of the total as they stand together.
    pub fn total(&self) -> Snapshot {
        self.gate.snapshot().total
    }
}

impl<K: Eq + Hash + Debug> TestKeyedGate<K> {
    /// Lets a call arrive that has to be admitted at once.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn expect_admitted(&self, key: K, ticket: Ticket) -> KeyedPermit<Self> {
        match self.arrive(key, ticket) {
            KeyedArrival::Admitted(permit) => permit,
            other => panic!("{ticket:?} should be admitted: {other:?}"),
        }
    }

    /// Lets a call arrive that has to join the line; it is not polled yet.
    ///
    /// # Panics
    ///
    /// If it does not.
    #[track_caller]
    pub fn expect_queued(&self, key: K, ticket: Ticket) -> Task<KeyedQueued<Self>> {
        match self.arrive(key, ticket) {
            KeyedArrival::Queued(waiter) => Task::new(KeyedQueued::new(waiter)),
            other => panic!("{ticket:?} should be queued: {other:?}"),
        }
    }

    /// Lets a call arrive that has to be refused at once.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn expect_refused(&self, key: K, ticket: Ticket) -> Refusal {
        match self.arrive(key, ticket) {
            KeyedArrival::Refused(refusal) => refusal,
            other => panic!("{ticket:?} should be refused: {other:?}"),
        }
    }
}

impl<K> Clone for TestKeyedGate<K> {
    fn clone(&self) -> Self {
        Self {
            gate: Arc::clone(&self.gate),
            clock: self.clock.clone(),
        }
    }
}

impl<K: Eq + Hash> KeyedHost for TestKeyedGate<K> {
    type Key = K;

    fn gate(&self) -> &KeyedGate<K> {
        &self.gate
    }

    fn now(&self) -> u64 {
        self.clock.now()
    }
}
