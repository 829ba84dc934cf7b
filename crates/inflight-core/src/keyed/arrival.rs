use std::fmt;

use super::host::KeyedHost;
use super::permit::KeyedPermit;
use super::waiter::KeyedWaiter;
use crate::Refusal;

/// What became of a call that arrived under a key.
#[must_use = "dropping a permit gives it back, dropping a waiter gives up its place"]
pub enum KeyedArrival<H: KeyedHost> {
    /// It may run, for as long as it keeps the permit.
    Admitted(KeyedPermit<H>),
    /// It has a place in the line.
    Queued(KeyedWaiter<H>),
    /// It may not run.
    Refused(Refusal),
}

impl<H: KeyedHost> fmt::Debug for KeyedArrival<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Admitted(permit) => f.debug_tuple("Admitted").field(permit).finish(),
            Self::Queued(waiter) => f.debug_tuple("Queued").field(waiter).finish(),
            Self::Refused(refusal) => f.debug_tuple("Refused").field(refusal).finish(),
        }
    }
}
