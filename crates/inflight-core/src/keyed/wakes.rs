use std::fmt;
use std::task::Waker;

use super::gate::KeyedGate;
use crate::wake::{Batch, discard, wake};

/// Those whom a change has answered, and who are still to be woken.
///
/// They are woken when this is dropped, as with [`Wakes`](crate::Wakes). Keys
/// that were forgotten are dropped with it, after that.
#[must_use = "dropping it wakes whoever was let in: let go of your locks before"]
pub struct KeyedWakes<'a, K> {
    gate: &'a KeyedGate<K>,
    /// Mostly there is no other.
    first: Option<Waker>,
    more: bool,
    gone: Vec<K>,
}

impl<'a, K> KeyedWakes<'a, K> {
    pub(super) fn new(
        gate: &'a KeyedGate<K>,
        first: Option<Waker>,
        more: bool,
        gone: Vec<K>,
    ) -> Self {
        Self {
            gate,
            first,
            more,
            gone,
        }
    }

    /// All decisions are made; what is left are wakers, a batch for each hold
    /// of the lock.
    #[cold]
    fn wake_rest(&self) {
        loop {
            let mut batch = Batch::new();
            let mut state = self.gate.lock();
            while !batch.is_full() {
                let Some(waker) = state.line.next_waker() else {
                    break;
                };
                batch.push(waker);
            }
            let more = state.line.has_wakers();
            drop(state);
            batch.wake_all();
            if !more {
                return;
            }
        }
    }
}

impl<K> Drop for KeyedWakes<'_, K> {
    fn drop(&mut self) {
        if let Some(first) = self.first.take() {
            wake(first);
        }
        if self.more {
            self.wake_rest();
        }
        for key in self.gone.drain(..) {
            discard(Some(key));
        }
    }
}

impl<K> fmt::Debug for KeyedWakes<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedWakes").finish_non_exhaustive()
    }
}
