use std::fmt;
use std::time::Duration;

use crate::Reason;
use crate::word::Word;

/// The facts of a refusal, as they were at the moment of it.
///
/// Four whole words and no destructor: a refused call moves one of these and
/// nothing else.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Refusal {
    word: Word,
    queue_limit: u64,
    waited: u64,
    /// `queued` above bit 32, the reason below.
    tag: u64,
}

impl Refusal {
    #[inline]
    pub(crate) fn new(reason: Reason, word: Word, queue_limit: usize, queued: u32) -> Self {
        Self {
            word,
            queue_limit: queue_limit as u64,
            waited: 0,
            tag: u64::from(queued) << 32 | reason as u64,
        }
    }

    pub(crate) fn after(self, waited: u64) -> Self {
        Self { waited, ..self }
    }

    /// Why.
    pub fn reason(&self) -> Reason {
        Reason::from_code(self.tag)
    }

    /// How much might have been in flight, in units of weight.
    pub fn limit(&self) -> usize {
        to_usize(self.word.limit())
    }

    /// How many might have waited.
    pub fn queue_limit(&self) -> usize {
        to_usize(self.queue_limit)
    }

    /// How much was in flight, in units of weight.
    pub fn in_flight(&self) -> usize {
        to_usize(self.word.in_flight())
    }

    /// How many waited, the refused one not among them.
    pub fn queued(&self) -> usize {
        to_usize(self.tag >> 32)
    }

    /// How long it had waited; zero if it was refused on arrival.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited)
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal")
            .field("reason", &self.reason())
            .field("limit", &self.limit())
            .field("queue_limit", &self.queue_limit())
            .field("in_flight", &self.in_flight())
            .field("queued", &self.queued())
            .field("waited", &self.waited())
            .finish()
    }
}

fn to_usize(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
