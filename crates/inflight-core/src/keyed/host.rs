use std::hash::Hash;

use super::arrival::KeyedArrival;
use super::drained::KeyedDrained;
use super::entrance::{Call, Verdict};
use super::gate::KeyedGate;
use super::permit::KeyedPermit;
use super::waiter::KeyedWaiter;
use super::wakes::KeyedWakes;
use crate::ticket::NO_DEADLINE;
use crate::{Limit, Refusal, Ticket};

/// What owns a keyed gate and knows the time: an `Arc`, a reference, a handle.
///
/// A permit and a waiter each carry one, so cloning it should be cheap, and must
/// not panic: what was just granted would be lost. Only the key,
/// [`gate`](Self::gate) and [`now`](Self::now) are for an implementor to write.
///
/// ```
/// use std::sync::Arc;
/// use inflight_core::{KeyedArrival, KeyedGate, KeyedHost, KeyedOptions, Limit, Reason, Ticket};
///
/// #[derive(Clone)]
/// struct Tenants(Arc<KeyedGate<String>>);
///
/// impl KeyedHost for Tenants {
///     type Key = String;
///
///     fn gate(&self) -> &KeyedGate<String> {
///         &self.0
///     }
///
///     fn now(&self) -> u64 {
///         0 // nobody has a deadline here
///     }
/// }
///
/// let options = KeyedOptions::new(Limit::new(2).unwrap(), Limit::ONE);
/// let tenants = Tenants(Arc::new(KeyedGate::new(&options)));
/// let KeyedArrival::Admitted(permit) = tenants.arrive("noisy".to_owned(), Ticket::new()) else {
///     panic!("there is room");
/// };
/// let KeyedArrival::Refused(refusal) = tenants.arrive("noisy".to_owned(), Ticket::new()) else {
///     panic!("it has what it may have, and there is no line");
/// };
/// assert_eq!(refusal.reason(), Reason::KeyLimit);
/// assert!(tenants.try_arrive("quiet".to_owned(), Ticket::new()).is_ok());
///
/// drop(permit);
/// assert_eq!(tenants.gate().keys(), 0);
/// ```
pub trait KeyedHost: Clone {
    /// What calls are told apart by. See [`KeyedGate`] for when its code runs.
    type Key: Eq + Hash;

    /// The gate.
    fn gate(&self) -> &KeyedGate<Self::Key>;

    /// Nanoseconds since the gate was built, saturating. It is asked only
    /// where a wait is measured or may end by a deadline, and when the gate is
    /// closed, and never under a lock of the gate. It must not panic:
    /// the permit that comes back at that moment would be lost.
    fn now(&self) -> u64;

    /// Admits a call, gives it a place in the line, or refuses it; never
    /// blocks. A place is held from here on, polled or not.
    fn arrive(&self, key: Self::Key, ticket: Ticket) -> KeyedArrival<Self> {
        let call = Call {
            ticket,
            may_wait: true,
        };
        match self.gate().arrive(self, key, call) {
            Verdict::Admitted(home) => {
                KeyedArrival::Admitted(KeyedPermit::new(self.clone(), home, ticket.weight()))
            }
            Verdict::Queued(waiter) => KeyedArrival::Queued(KeyedWaiter::new(self.clone(), waiter)),
            Verdict::Refused(refusal) => KeyedArrival::Refused(refusal),
        }
    }

    /// Admits a call or refuses it; it never waits, and never takes another's
    /// place in the line.
    ///
    /// # Errors
    ///
    /// The refusal, with [`KeyLimit`](crate::Reason::KeyLimit) or
    /// [`TotalLimit`](crate::Reason::TotalLimit) where waiting would have
    /// helped.
    fn try_arrive(&self, key: Self::Key, ticket: Ticket) -> Result<KeyedPermit<Self>, Refusal> {
        let call = Call {
            ticket,
            may_wait: false,
        };
        match self.gate().arrive(self, key, call) {
            Verdict::Admitted(home) => Ok(KeyedPermit::new(self.clone(), home, ticket.weight())),
            Verdict::Refused(refusal) => Err(refusal),
            Verdict::Queued(_) => unreachable!("it does not wait"),
        }
    }

    /// Lets a call pass without asking: a permit of weight 0, which takes
    /// nothing of either limit, is under no key, is not in flight, and is not
    /// waited for when the gate drains. A gate that is full or closed gives it
    /// all the same.
    fn exempt(&self) -> KeyedPermit<Self> {
        KeyedPermit::exempt(self.clone())
    }

    /// Changes the total limit, at once and without blocking.
    ///
    /// It becomes no more than the gate's maximum, if it has one of its own.
    /// Raising it grants to as many as now fit. Lowering it takes nothing
    /// back: more may be in flight until enough of it has ended, and those
    /// who wait keep their places; one that became heavier than the limit
    /// runs alone.
    fn set_limit(&self, limit: Limit) {
        drop(self.resize(limit));
    }

    /// Does what [`set_limit`](Self::set_limit) does, but leaves it to the
    /// caller when those who were let in are woken: for callers who change the
    /// limit under a lock of their own.
    fn resize(&self, limit: Limit) -> KeyedWakes<'_, Self::Key> {
        self.gate().resize(self, limit)
    }

    /// Changes the limit of one key, in the same way, for as long as anything
    /// runs or waits under it: a key that was forgotten comes back with the
    /// limit of its plan. Says whether there was such a key; if not, nothing
    /// was changed.
    fn set_key_limit(&self, key: &Self::Key, limit: Limit) -> bool {
        self.gate().set_key_limit(self, key, limit)
    }

    /// Refuses everyone who waits, and everyone who comes later; what runs
    /// ends normally. Closing again does nothing.
    fn close(&self) {
        self.gate().close(self);
    }

    /// Resolves when nothing is in flight and nobody waits, now or at any
    /// moment after its first poll; with or without [`close`](Self::close).
    fn drained(&self) -> KeyedDrained<Self> {
        KeyedDrained::new(self.clone())
    }
}

/// The host's time, below the one that stands for "no deadline".
pub(super) fn now(host: &impl KeyedHost) -> u64 {
    host.now().min(NO_DEADLINE - 1)
}
