use std::time::Duration;

use crate::refusal::tag;
use crate::ticket::{NO_DEADLINE, nanos};
use crate::word::{State, Word};
use crate::{Limit, PackedRefusal, Reason, Ticket};

/// What a gate is built from.
#[derive(Clone, Copy, Debug)]
pub struct GateOptions {
    /// How much may be in flight at first, in units of weight; no more than
    /// `max_limit`.
    pub limit: Limit,
    /// The most that the limit may become; `None` for a fixed gate, whose
    /// limit is its own maximum, also after it was set.
    pub max_limit: Option<Limit>,
    /// How many callers may wait, whatever their weight; 0 refuses at once.
    /// Nothing is allocated in advance.
    pub queue_limit: usize,
    /// The longest that anybody waits.
    pub queue_timeout: Option<Duration>,
    /// Highest priority first, instead of first come, first served.
    pub by_priority: bool,
    /// Whether every wait is measured, which costs a reading of the clock as a
    /// call joins the line, and the gate's lock once more as it is let in.
    /// Without it only those are that may end by a deadline; of the others an
    /// eviction or a close tells no time.
    pub measure_waits: bool,
}

impl GateOptions {
    /// A fixed gate without a line, which would measure every wait.
    pub const fn new(limit: Limit) -> Self {
        Self {
            limit,
            max_limit: None,
            queue_limit: 0,
            queue_timeout: None,
            by_priority: false,
            measure_waits: true,
        }
    }
}

/// The part of the options that never changes.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) max_limit: Option<Limit>,
    pub(crate) queue_limit: usize,
    /// [`NO_DEADLINE`] is none.
    pub(crate) queue_timeout: u64,
    pub(crate) by_priority: bool,
    /// Whether one that joins the line without a deadline is asked since when.
    pub(crate) measure_waits: bool,
    /// What a refusal says in each [`State`] in which there is no place either;
    /// 0 in the others.
    tags: [u64; 4],
}

impl Rules {
    pub(crate) fn new(options: &GateOptions) -> Self {
        let mut tags = [0; 4];
        if options.queue_limit == 0 {
            tags[State::Free as usize] = tag(Reason::LimitReached, 0);
        }
        tags[State::LineFull as usize] = tag(Reason::QueueFull, places(options.queue_limit));
        Self {
            max_limit: options.max_limit,
            queue_limit: options.queue_limit,
            queue_timeout: options.queue_timeout.map_or(NO_DEADLINE, nanos),
            by_priority: options.by_priority,
            measure_waits: options.measure_waits,
            tags,
        }
    }

    /// The heaviest that may ever pass, while the limit is `limit`.
    #[inline]
    pub(crate) fn heaviest(&self, limit: u64) -> u64 {
        self.max_limit.map_or(limit, Limit::units)
    }

    pub(crate) fn bounded(&self, limit: Limit) -> Limit {
        self.max_limit.map_or(limit, |max| limit.min(max))
    }

    #[inline]
    pub(crate) fn places(&self) -> u32 {
        places(self.queue_limit)
    }

    /// The longest that this call may wait.
    #[inline]
    pub(crate) fn patience(&self, ticket: Ticket) -> u64 {
        ticket.max_wait_nanos().min(self.queue_timeout)
    }

    /// Whether the time matters to a call that joins the line.
    #[inline]
    pub(crate) fn measures(&self, ticket: Ticket) -> bool {
        self.measure_waits || self.patience(ticket) != NO_DEADLINE
    }

    /// Refuses an arrival that does not fit, from the `word`, if that suffices:
    /// it is no heavier than the limit, and there is no place either. Of a full
    /// line `stays_full` says whether nobody leaves it to the arrival.
    #[inline]
    pub(crate) fn refuse(
        &self,
        word: Word,
        weight: u64,
        stays_full: impl FnOnce() -> bool,
    ) -> Option<PackedRefusal> {
        let state = word.state();
        let tag = self.tags[state as usize];
        if tag == 0 || weight > word.limit() || (state == State::LineFull && !stays_full()) {
            return None;
        }
        Some(PackedRefusal::new(word, tag))
    }
}

/// How many may wait where that many should: the index of a waiter has 31 bits.
#[inline]
pub(crate) fn places(queue_limit: usize) -> u32 {
    u32::try_from(queue_limit)
        .unwrap_or(u32::MAX)
        .min(MOST_WAITERS)
}

const MOST_WAITERS: u32 = (1 << 31) - 2;
