use std::ops::{Deref, DerefMut};
use std::task::Waker;

use crate::Gate;
use crate::room::Room;
use crate::state::State;
use crate::sync::MutexGuard;
use crate::wake::{Batch, wake};
use crate::word::{AtomicWord, State as Mark, Word};

/// One hold of the gate's lock: all that one event decides.
///
/// The word is sealed from the beginning to the end, so that nothing is
/// admitted or given back meanwhile.
pub(crate) struct Turn<'a> {
    gate: &'a Gate,
    word: &'a AtomicWord,
    before: Word,
    state: MutexGuard<'a, State>,
}

impl<'a> Turn<'a> {
    #[inline]
    pub(crate) fn begin(gate: &'a Gate, word: &'a AtomicWord) -> Self {
        let mut state = gate.lock();
        let before = word.seal();
        state.room = Room::new(before);
        Self {
            gate,
            word,
            before,
            state,
        }
    }

    /// Publishes the outcome, lets go of the lock, and only then wakes those
    /// who have an answer, since a waker may run anything, this gate included.
    #[inline]
    pub(crate) fn end(mut self) {
        let after = self.state.word();
        // A seal on `Free` has to be taken off, whatever came of it.
        if after != self.before || after.state() == Mark::Free {
            self.word.store(after);
        }
        let first = self.state.first_waker();
        let more = self.state.has_wakers();
        drop(self.state);
        if let Some(first) = first {
            wake(first);
        }
        if more {
            wake_rest(self.gate);
        }
    }
}

impl Deref for Turn<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Turn<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
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
            let Some(waker): Option<Waker> = state.next_waker() else {
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
