use std::sync::Arc;

use super::subject::Subject;
use super::tally::Tally;

/// A subject, and what was counted of it so far.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) subject: Arc<Subject>,
    pub(crate) tally: Tally,
    pub(crate) rounds: u64,
    /// Rounds in which as much was inside as the highest limit allows.
    pub(crate) filled: u64,
}

impl Standing {
    pub(crate) fn new(subject: Subject) -> Self {
        Self {
            subject: Arc::new(subject),
            tally: Tally::default(),
            rounds: 0,
            filled: 0,
        }
    }

    /// Counts a round in.
    pub(crate) fn add(&mut self, tally: Tally, highest: usize) {
        self.tally += tally;
        self.rounds += 1;
        self.filled += u64::from(self.subject.floor.most() >= highest);
    }
}
