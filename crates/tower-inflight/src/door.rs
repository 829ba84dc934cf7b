use std::task::Waker;

use inflight_core::{Limit, Refusal};

use crate::adaptive::Controller;
use crate::clock::Clock;
use crate::desk::Desk;
use crate::reports::Reports;
use crate::sign::Sign;

/// The way into a limiter, whichever kind it is: what its services, permits and
/// waiters share.
#[expect(
    unnameable_types,
    reason = "sealed: each kind of limiter has one, nobody implements it"
)]
pub trait Door: Clone {
    /// What an admitted call holds.
    type Permit: Pass + Held<Door = Self>;
    /// What a call in the line holds.
    type Waiter: Await<Self>;

    /// Whether a call of weight 1 would be admitted now: one load.
    fn has_room(&self) -> bool;

    /// A permit that takes nothing of the limit.
    fn exempt(&self) -> Self::Permit;

    /// How much is in flight, in units of weight.
    fn in_flight(&self) -> usize;

    /// Sets the limit; who was let in is woken when what comes back is dropped.
    fn resize(&self, limit: Limit) -> impl Sized + '_;

    /// The limiter's sign, if nobody has to be told of a rejection but its
    /// caller.
    #[doc(hidden)]
    fn quiet_sign(&self) -> Option<Sign>;

    #[doc(hidden)]
    fn desk(&self) -> &Desk;

    /// The desk's, at hand for calls that do not stop there.
    #[doc(hidden)]
    fn reports(&self) -> &Reports;

    #[doc(hidden)]
    fn clock(&self) -> Clock;

    /// What moves the limit; a fixed one has nothing of the kind.
    #[doc(hidden)]
    fn controller(&self) -> Option<&Controller>;
}

/// What a call that was admitted holds: its permit, or what stands for it.
#[expect(
    unnameable_types,
    reason = "sealed: each kind of limiter has one, nobody implements it"
)]
pub trait Held {
    /// The way into the limiter.
    type Door: Door;

    /// The way into the limiter.
    fn door(&self) -> &Self::Door;

    /// Whether it takes nothing of the limit.
    fn is_exempt(&self) -> bool;
}

/// A permit, fresh from its limiter.
#[expect(
    unnameable_types,
    reason = "sealed: each kind of limiter has one, nobody implements it"
)]
pub trait Pass: Held<Door: Door<Permit = Self>> {}

/// A place in a line.
#[expect(
    unnameable_types,
    reason = "sealed: each kind of limiter has one, nobody implements it"
)]
pub trait Await<D: Door> {
    /// Asks for the answer; only the last waker is woken.
    fn poll(&mut self, waker: &Waker) -> Answer<D::Permit>;

    /// The way into the limiter; `None` once it was admitted.
    fn door(&self) -> Option<&D>;
}

/// What became of a call that arrived.
pub(crate) enum Arrived<D: Door> {
    Admitted(D::Permit),
    Queued(D::Waiter),
    Refused(Refusal),
}

/// What one who waits is told.
#[derive(Debug)]
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub enum Answer<P> {
    /// It may run.
    Admitted(P),
    /// It may not run.
    Refused(Refusal),
    /// It has to wait, and to ask again at the deadline on its limiter's clock.
    Pending {
        /// `None` if it may wait for ever.
        deadline: Option<u64>,
    },
}
