use std::fmt;
use std::task::Waker;

use crate::Gate;
use crate::wake::{Batch, wake};

/// Those whom a change has answered, and who are still to be woken.
///
/// They are woken when this is dropped. All is decided before: whoever was let
/// in owns a permit, woken or not. A waker may run anything, so let go of your
/// own locks first.
#[must_use = "dropping it wakes whoever was let in: let go of your locks before"]
pub struct Wakes<'a> {
    gate: &'a Gate,
    /// Mostly there is no other.
    first: Option<Waker>,
    more: bool,
}

impl<'a> Wakes<'a> {
    #[inline]
    pub(crate) fn new(gate: &'a Gate, first: Option<Waker>, more: bool) -> Self {
        Self { gate, first, more }
    }
}

impl Drop for Wakes<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(first) = self.first.take() {
            wake(first);
        }
        if self.more {
            wake_rest(self.gate);
        }
    }
}

impl fmt::Debug for Wakes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wakes").finish_non_exhaustive()
    }
}

/// All decisions are made; what is left are wakers, a batch for each hold of
/// the lock.
#[cold]
fn wake_rest(gate: &Gate) {
    loop {
        let mut batch = Batch::new();
        let mut state = gate.lock();
        while !batch.is_full() {
            let Some(waker) = state.next_waker() else {
                break;
            };
            batch.push(waker);
        }
        let more = state.has_wakers();
        drop(state);
        batch.wake_all();
        if !more {
            return;
        }
    }
}
