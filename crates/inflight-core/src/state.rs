//! What the lock guards, and every decision that needs it: sequential code.
//!
//! # Invariants
//!
//! Between two turns of the lock:
//!
//! 1. `in_flight` is the weight of the live permits and of the waiters that
//!    were granted but have not fetched it.
//! 2. Whoever is next does not fit: `in_flight > 0` and
//!    `in_flight + weight > limit`.
//! 3. No more wait than there are places, and nobody waits at a closed gate.
//! 4. Nobody watches for the gate to drain while it is drained.
//! 5. A node is on `answered` iff it has its answer and still its waker.
//! 6. Nobody is on `decided`.

mod arriving;
mod granting;
mod waiting;
mod watching;

pub(crate) use self::arriving::Verdict;
pub(crate) use self::waiting::Answer;
use crate::line::{Line, List};
use crate::room::Room;
use crate::rules::Rules;
use crate::threshold::Threshold;
use crate::word::{State as Mark, Word};
use crate::{Reason, Refusal};

pub(crate) struct State {
    rules: Rules,
    pub(crate) room: Room,
    line: Line,
    /// Those who wait for the gate to drain.
    watchers: List,
    /// Those whom this turn has given an answer.
    decided: List,
    /// Those who have an answer and are to be woken, but for the first.
    answered: List,
    closed: bool,
    /// How many wait in a full line: at least one, so that an empty one is
    /// never full.
    full: u32,
}

/// Nothing was changed: the time has to be known, and is read outside the lock.
pub(crate) struct NeedsClock;

impl State {
    pub(crate) fn new(rules: Rules, word: Word) -> Self {
        Self {
            rules,
            room: Room::new(word),
            line: Line::new(),
            watchers: List::EMPTY,
            decided: List::EMPTY,
            answered: List::EMPTY,
            closed: false,
            full: rules.places().max(1),
        }
    }

    /// Raising grants to as many as now fit; lowering takes nothing back.
    pub(crate) fn set_limit(&mut self, limit: u64, now: Option<u64>) -> Result<(), NeedsClock> {
        let now = self.time(now)?;
        self.room.limit = limit;
        self.grant(now);
        Ok(())
    }

    /// Answers all who wait, as they stand in the line, and all who come later.
    pub(crate) fn close(&mut self, now: u64) {
        self.closed = true;
        while let Some(head) = self.line.head() {
            self.refuse(head, Reason::Closed, now);
        }
        self.drain();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    pub(crate) fn queued(&self) -> u32 {
        self.line.queued()
    }

    pub(crate) fn levels(&self) -> impl Iterator<Item = (i32, u32)> {
        self.line.levels()
    }

    /// What tells the others how things stand: the word, and the threshold.
    #[inline]
    pub(crate) fn outcome(&self) -> (Word, u64) {
        self.debug_check();
        let (mark, threshold) = if self.is_full() {
            (Mark::LineFull, self.threshold())
        } else if self.line.queued() == 0 {
            (Mark::Free, Threshold::OPEN)
        } else {
            (Mark::Line, Threshold::OPEN)
        };
        let shut = self.closed || !self.watchers.is_empty();
        let mark = if shut { Mark::Shut } else { mark };
        (self.room.word(mark), threshold)
    }

    /// Whom a full line refuses, as [`Threshold`] says it.
    #[inline(never)]
    fn threshold(&self) -> u64 {
        if !self.rules.by_priority {
            let oldest = self.line.oldest_if_timed();
            return oldest.map_or(Threshold::SHUT, |(_, deadline)| deadline);
        }
        match self.line.newest_of_lowest() {
            Some((lowest, _)) if !self.line.is_timed() => Threshold::rank(lowest) + 1,
            _ => Threshold::OPEN,
        }
    }

    fn debug_check(&self) {
        debug_assert!(
            self.line
                .head()
                .is_none_or(|head| { !self.room.fits(self.line.weight(head).into()) }),
            "there is room for the head of the line"
        );
        debug_assert!(self.line.queued() <= self.rules.places());
        debug_assert!(!self.closed || self.line.queued() == 0);
        debug_assert!(self.watchers.is_empty() || !self.is_drained());
    }

    #[inline]
    fn is_drained(&self) -> bool {
        self.room.in_flight == 0 && self.line.queued() == 0
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.line.queued() >= self.full
    }

    /// The time, if it matters.
    #[inline]
    fn time(&self, now: Option<u64>) -> Result<u64, NeedsClock> {
        match now {
            Some(now) => Ok(now),
            None if !self.line.is_timed() => Ok(0),
            None => Err(NeedsClock),
        }
    }

    fn refusal(&self, reason: Reason) -> Refusal {
        let word = self.room.word(Mark::Free);
        Refusal::new(reason, word, self.line.queued())
    }
}

/// When somebody joined the line whom nobody will ask: later than any time, so
/// that the wait comes out as none.
pub(crate) const UNKNOWN: u64 = u64::MAX;
