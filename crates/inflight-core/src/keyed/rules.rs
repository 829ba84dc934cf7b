use super::fairness::Fairness;
use super::options::KeyedOptions;
use super::overflow::KeyOverflow;
use super::plan::KeyPlan;
use crate::rules::places;
use crate::ticket::{NO_DEADLINE, nanos};
use crate::{Limit, Ticket};

/// The options as they are looked at on the way of a call.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) max_limit: Option<Limit>,
    pub(super) key: KeyPlan,
    pub(super) queue_limit: usize,
    pub(super) key_queue_limit: usize,
    /// The same as numbers that can be.
    pub(super) places: u32,
    pub(super) key_places: u32,
    pub(super) by_priority: bool,
    pub(super) fairness: Fairness,
    pub(super) max_keys: usize,
    pub(super) overflow: KeyOverflow,
    /// [`NO_DEADLINE`] is none.
    queue_timeout: u64,
    pub(super) measure_waits: bool,
}

impl Rules {
    pub(super) fn new(options: &KeyedOptions) -> Self {
        Self {
            max_limit: options.max_limit,
            key: options.key,
            queue_limit: options.queue_limit,
            key_queue_limit: options.key_queue_limit,
            places: places(options.queue_limit),
            key_places: places(options.key_queue_limit),
            by_priority: options.by_priority,
            fairness: options.fairness,
            max_keys: options.max_keys,
            overflow: options.overflow,
            queue_timeout: options.queue_timeout.map_or(NO_DEADLINE, nanos),
            measure_waits: options.measure_waits,
        }
    }

    pub(super) fn bounded(&self, limit: Limit) -> Limit {
        self.max_limit.map_or(limit, |max| limit.min(max))
    }

    /// The heaviest that may ever pass, while the total limit is `limit`.
    pub(super) fn heaviest(&self, limit: u64) -> u64 {
        self.max_limit.map_or(limit, Limit::units)
    }

    /// Whether there is any line to wait in.
    pub(super) fn has_line(&self) -> bool {
        self.places > 0 && self.key_places > 0
    }

    pub(super) fn priority(&self, ticket: Ticket) -> i32 {
        if self.by_priority {
            ticket.priority()
        } else {
            0
        }
    }

    /// The longest that this call may wait.
    pub(super) fn patience(&self, ticket: Ticket) -> u64 {
        ticket.max_wait_nanos().min(self.queue_timeout)
    }

    /// Whether the time matters to a call that joins the line.
    pub(super) fn measures(&self, ticket: Ticket) -> bool {
        self.measure_waits || self.patience(ticket) != NO_DEADLINE
    }

    /// Whether all who wait have a deadline.
    pub(super) fn is_timed(&self) -> bool {
        self.queue_timeout != NO_DEADLINE
    }
}
