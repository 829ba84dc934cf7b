use crate::word::{State, Word};

/// The word's numbers, while the lock's holder has it sealed.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) limit: u64,
    pub(crate) in_flight: u64,
}

impl Room {
    pub(crate) fn new(word: Word) -> Self {
        Self {
            limit: word.limit(),
            in_flight: word.in_flight(),
        }
    }

    /// Whether `weight` more may run. What is heavier than the limit, but not
    /// than the maximum, runs alone; else a limit at 1 could never recover.
    #[inline]
    pub(crate) fn fits(self, weight: u64) -> bool {
        self.in_flight + weight <= self.limit || self.in_flight == 0
    }

    /// Whether nothing at all fits.
    #[inline]
    pub(crate) fn is_taken(self) -> bool {
        self.in_flight >= self.limit
    }

    #[inline]
    pub(crate) fn word(self, state: State) -> Word {
        Word::new(self.limit, self.in_flight, state)
    }
}
