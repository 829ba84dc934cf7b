use std::fmt;

use crate::claim::Claim;
use crate::gate::Entry;
use crate::state::Verdict;
use crate::{Drained, Gate, Limit, Permit, Refusal, Ticket, Waiter, Wakes};

/// What owns a gate and knows the time: an `Arc`, a reference, a handle.
///
/// A permit and a waiter each carry one, so cloning it should be cheap. Only
/// the first two methods are for an implementor to write.
///
/// ```
/// use std::sync::Arc;
/// use inflight_core::{Arrival, Gate, GateOptions, Host, Limit, Reason};
///
/// #[derive(Clone)]
/// struct Search(Arc<Gate>);
///
/// impl Host for Search {
///     fn gate(&self) -> &Gate {
///         &self.0
///     }
///
///     fn now(&self) -> u64 {
///         0 // nobody has a deadline here
///     }
/// }
///
/// let search = Search(Arc::new(Gate::new(&GateOptions::new(Limit::ONE))));
/// let Arrival::Admitted(permit) = search.arrive(Default::default()) else {
///     panic!("there is room");
/// };
/// let Arrival::Refused(refusal) = search.arrive(Default::default()) else {
///     panic!("there is none left, and no line");
/// };
/// assert_eq!(refusal.reason(), Reason::LimitReached);
/// drop(permit);
/// assert!(search.try_arrive(Default::default()).is_ok());
/// ```
pub trait Host: Clone {
    /// The gate.
    fn gate(&self) -> &Gate;

    /// Nanoseconds since the gate was built, saturating. It is asked only
    /// where somebody waits or joins the line, or the gate is closed, and never
    /// under the gate's lock. It must not panic: the permit that comes back at
    /// that moment would be lost.
    fn now(&self) -> u64;

    /// Admits a call, gives it a place in the line, or refuses it; never
    /// blocks. A place is held from here on, polled or not.
    #[inline]
    fn arrive(&self, ticket: Ticket) -> Arrival<Self> {
        match self.gate().try_enter(self, ticket) {
            Entry::Admitted => Arrival::Admitted(Permit::new(self.clone(), ticket)),
            Entry::Refused(packed) => Arrival::Refused(packed.unpack()),
            Entry::Undecided => arrive_late(self, ticket, true),
        }
    }

    /// Admits a call or refuses it; it never waits, and never takes another's
    /// place in the line.
    ///
    /// # Errors
    ///
    /// The refusal, with [`LimitReached`](crate::Reason::LimitReached) where
    /// waiting would have helped.
    #[inline]
    fn try_arrive(&self, ticket: Ticket) -> Result<Permit<Self>, Refusal> {
        if self.gate().try_admit(ticket) {
            return Ok(Permit::new(self.clone(), ticket));
        }
        match arrive_late(self, ticket, false) {
            Arrival::Admitted(permit) => Ok(permit),
            Arrival::Refused(refusal) => Err(refusal),
            Arrival::Queued(_) => unreachable!("it does not wait"),
        }
    }

    /// Lets a call pass without asking: a permit of weight 0, which takes
    /// nothing of the limit, is not in flight, and is not waited for when the
    /// gate drains. A gate that is full or closed gives it all the same.
    fn exempt(&self) -> Permit<Self> {
        Permit::granted(self.clone(), Claim::NOTHING)
    }

    /// Changes the limit, at once and without blocking.
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
    fn resize(&self, limit: Limit) -> Wakes<'_> {
        self.gate().resize(self, limit)
    }

    /// Refuses everyone who waits, and everyone who comes later; what runs
    /// ends normally. Closing again does nothing.
    fn close(&self) {
        self.gate().close(self);
    }

    /// Resolves when nothing is in flight and nobody waits, now or at any
    /// moment after its first poll; with or without [`close`](Self::close).
    fn drained(&self) -> Drained<Self> {
        Drained::new(self.clone())
    }
}

/// What became of a call that arrived.
#[must_use = "dropping a permit gives it back, dropping a waiter gives up its place"]
pub enum Arrival<H: Host> {
    /// It may run, for as long as it keeps the permit.
    Admitted(Permit<H>),
    /// It has a place in the line.
    Queued(Waiter<H>),
    /// It may not run.
    Refused(Refusal),
}

impl<H: Host> fmt::Debug for Arrival<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Admitted(permit) => f.debug_tuple("Admitted").field(permit).finish(),
            Self::Queued(waiter) => f.debug_tuple("Queued").field(waiter).finish(),
            Self::Refused(refusal) => f.debug_tuple("Refused").field(refusal).finish(),
        }
    }
}

#[cold]
#[inline(never)]
fn arrive_late<H: Host>(host: &H, ticket: Ticket, may_wait: bool) -> Arrival<H> {
    match host.gate().arrive(host, ticket, may_wait) {
        Verdict::Admitted => Arrival::Admitted(Permit::new(host.clone(), ticket)),
        Verdict::Queued(key) => Arrival::Queued(Waiter::new(host.clone(), key)),
        Verdict::Refused(refusal) => Arrival::Refused(refusal),
    }
}
