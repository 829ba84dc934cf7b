use std::fmt::Debug;
use std::pin::Pin;
use std::task::Waker;

use inflight_core::{Limit, Refusal, Snapshot, Ticket};
use inflight_test::ManualClock;

/// What is done to a gate, and what it shows.
pub(crate) trait Gate {
    /// What a call says beside its ticket.
    type Key: Copy + Debug;
    type Permit;
    type Waiter;

    /// Whether those who watch it drain are woken in the order in which they
    /// came; if not, in which one is not said.
    const WATCHERS_IN_ORDER: bool;

    fn arrive(&self, key: Self::Key, ticket: Ticket, waits: bool) -> Told<Self>;

    fn poll(waiter: &mut Self::Waiter, waker: &Waker) -> Told<Self>;

    fn weight(permit: &Self::Permit) -> u32;

    /// Of one key or of all; whether there is such a key.
    fn set_limit(&self, of: Option<Self::Key>, limit: Limit) -> bool;

    fn close(&self);

    fn drained(&self) -> Pin<Box<dyn Future<Output = ()>>>;

    fn clock(&self) -> &ManualClock;

    fn snapshot(&self) -> Snapshot;

    fn has_room(&self) -> bool;

    fn is_closed(&self) -> bool;
}

/// What a gate tells a caller who arrives or asks.
pub(crate) enum Told<G: Gate + ?Sized> {
    Granted {
        permit: G::Permit,
        since: Option<u64>,
    },
    Queued(G::Waiter),
    Pending {
        deadline: Option<u64>,
    },
    Refused(Refusal),
}
