use crate::room::Room;
use crate::state::State;
use crate::sync::MutexGuard;
use crate::word::{AtomicWord, State as Mark, Word};
use crate::{Gate, Wakes};
use std::ops::{Deref, DerefMut};

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
    pub(crate) fn begin(
        gate: &'a Gate,
        word: &'a AtomicWord,
        mut state: MutexGuard<'a, State>,
    ) -> Self {
        let before = word.seal();
        state.room = Room::new(before);
        Self {
            gate,
            word,
            before,
            state,
        }
    }

    /// Grants to whoever fits, where nobody has a deadline.
    #[cold]
    pub(crate) fn settle(mut self) {
        self.state.settle();
        self.end();
    }

    /// Publishes the outcome, lets go of the lock, and only then wakes those
    /// who have an answer, since a waker may run anything, this gate included.
    #[inline]
    pub(crate) fn end(self) {
        drop(self.publish());
    }

    /// Publishes the outcome and lets go of the lock. Those who have an answer
    /// are woken when what comes back is dropped.
    #[expect(
        clippy::inline_always,
        reason = "each hand-over takes two turns: a call moves turn and wakes through memory"
    )]
    #[inline(always)]
    pub(crate) fn publish(mut self) -> Wakes<'a> {
        let (after, threshold) = self.state.outcome();
        self.gate.threshold.store(threshold);
        // A seal on `Free` has to be taken off, whatever came of it.
        if after != self.before || after.state() == Mark::Free {
            self.word.store(after);
        }
        // Last, so that whoever sees its grant sees all that came with it.
        let first = self.state.announce(&self.gate.grants);
        let more = self.state.has_wakers();
        drop(self.state);
        Wakes::new(self.gate, first, more)
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
