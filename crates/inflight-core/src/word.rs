//! The gate's one word: its limit, what is in flight, and its state.
//!
//! ```text
//!  63                 33 32   31 30                  0
//! ┌─────────────────────┬───────┬─────────────────────┐
//! │        limit        │ state │      in_flight      │
//! └─────────────────────┴───────┴─────────────────────┘
//! ```
//!
//! | state | holds when | an arrival | a release |
//! |---|---|---|---|
//! | `Free` 0 | nobody waits | one compare-exchange, or the lock to form a line | one compare-exchange |
//! | `Line` 1 | somebody waits, or the lock's holder is at work | takes the lock | takes the lock |
//! | `LineFull` 2 | the line is full | refused if the [`Threshold`](crate::threshold::Threshold) says so too, else takes the lock | takes the lock |
//! | `Shut` 3 | closed, or somebody waits for it to drain | takes the lock | takes the lock |
//!
//! Only the holder of the lock changes the state or the limit. It first
//! *seals* the word (`Free` becomes `Line`), so that no compare-exchange can
//! succeed, works on plain numbers, and stores the outcome. Since the state
//! stands directly above `in_flight`, "free and fits" is one comparison: with
//! any other state the lower 33 bits are above every limit.

use std::fmt;

use crate::sync::{AtomicU64, Ordering};

#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) struct Word(u64);

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum State {
    Free = 0,
    Line = 1,
    LineFull = 2,
    Shut = 3,
}

impl Word {
    #[inline]
    pub(crate) fn new(limit: u64, in_flight: u64, state: State) -> Self {
        debug_assert!(limit <= MASK && in_flight <= MASK);
        Self(limit << LIMIT_SHIFT | (state as u64) << STATE_SHIFT | in_flight)
    }

    #[inline]
    pub(crate) fn limit(self) -> u64 {
        self.0 >> LIMIT_SHIFT
    }

    #[inline]
    pub(crate) fn in_flight(self) -> u64 {
        self.0 & MASK
    }

    #[inline]
    pub(crate) fn state(self) -> State {
        match (self.0 >> STATE_SHIFT) & 3 {
            0 => State::Free,
            1 => State::Line,
            2 => State::LineFull,
            _ => State::Shut,
        }
    }

    /// Whether nobody waits and `weight` more stays within the limit.
    #[inline]
    pub(crate) fn admits(self, weight: u64) -> bool {
        (self.0 & FREE_MASK) + weight <= self.0 >> LIMIT_SHIFT
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Word")
            .field("limit", &self.limit())
            .field("state", &self.state())
            .field("in_flight", &self.in_flight())
            .finish()
    }
}

pub(crate) struct AtomicWord(AtomicU64);

impl AtomicWord {
    pub(crate) fn new(limit: u64) -> Self {
        Self(AtomicU64::new(Word::new(limit, 0, State::Free).0))
    }

    /// The word as it stands, to decide on or to show; publishes nothing.
    #[inline]
    pub(crate) fn load(&self) -> Word {
        // Relaxed: what is decided from it alone is a refusal or a number for
        // display; whatever admits or releases confirms it with an exchange.
        Word(self.0.load(Ordering::Relaxed))
    }

    /// Adds `weight` while [`Word::admits`] it; otherwise says why not.
    #[inline]
    pub(crate) fn try_admit(&self, weight: u64) -> Result<(), Word> {
        let mut word = self.load();
        while word.admits(weight) {
            match self.exchange(word, word.0 + weight) {
                Ok(()) => return Ok(()),
                Err(actual) => word = actual,
            }
        }
        Err(word)
    }

    /// Adds `weight` if the word is still `seen`.
    #[inline]
    pub(crate) fn admit_from(&self, seen: Word, weight: u64) -> Result<(), Word> {
        self.exchange(seen, seen.0 + weight)
    }

    #[inline]
    fn exchange(&self, seen: Word, next: u64) -> Result<(), Word> {
        // Acquire: pairs with the Release in `try_release` and `store`, so
        // that the work admitted now sees all that the work before it wrote.
        self.0
            .compare_exchange_weak(seen.0, next, Ordering::Acquire, Ordering::Relaxed)
            .map(drop)
            .map_err(Word)
    }

    /// Subtracts `weight` while the state is `Free`. A blind subtraction could
    /// dip below what a waiter is about to be granted.
    #[inline]
    pub(crate) fn try_release(&self, weight: u64) -> bool {
        let mut word = self.load();
        while word.state() == State::Free {
            debug_assert!(word.in_flight() >= weight, "a permit came back twice");
            // Release: pairs with the Acquire in `exchange` and `seal`.
            match self.0.compare_exchange_weak(
                word.0,
                word.0 - weight,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(actual) => word = Word(actual),
            }
        }
        false
    }

    /// Stops all exchanges until the next [`store`](Self::store). The lock
    /// must be held.
    #[inline]
    pub(crate) fn seal(&self) -> Word {
        let word = self.load();
        if word.state() != State::Free {
            // Only a holder of the lock leaves such a state, and we hold it.
            return word;
        }
        // Acquire: pairs with the Release in `try_release`, so that a grant
        // made from this word passes on what earlier work wrote.
        let before = self
            .0
            .fetch_or((State::Line as u64) << STATE_SHIFT, Ordering::Acquire);
        Word(before)
    }

    /// Ends a seal. The lock must be held.
    #[inline]
    pub(crate) fn store(&self, word: Word) {
        // Release: pairs with the Acquire in `exchange`.
        self.0.store(word.0, Ordering::Release);
    }
}

const MASK: u64 = (1 << STATE_SHIFT) - 1;
const FREE_MASK: u64 = (1 << LIMIT_SHIFT) - 1;
const STATE_SHIFT: u32 = 31;
const LIMIT_SHIFT: u32 = 33;
