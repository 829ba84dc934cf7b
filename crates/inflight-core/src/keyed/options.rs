use std::time::Duration;

use super::fairness::Fairness;
use super::overflow::KeyOverflow;
use super::plan::KeyPlan;
use crate::Limit;

/// What a keyed gate is built from.
#[derive(Clone, Copy, Debug)]
pub struct KeyedOptions {
    /// How much may be in flight at first, of all keys together, in units of
    /// weight; no more than `max_limit`.
    pub limit: Limit,
    /// The most that the total limit may become; `None` if it is fixed, and so
    /// its own maximum, also after it was set.
    pub max_limit: Option<Limit>,
    /// What each key may have, unless the gate is built with a plan for each.
    pub key: KeyPlan,
    /// How many callers may wait, of all keys together; 0 refuses at once.
    pub queue_limit: usize,
    /// How many callers of one key may wait; 0 refuses at once. Where it is as
    /// large as `queue_limit`, one key can take all the places.
    pub key_queue_limit: usize,
    /// The longest that anybody waits; of zero, what finds no room is refused.
    pub queue_timeout: Option<Duration>,
    /// Highest priority first among the callers of one key, instead of first
    /// come, first served. Between keys priorities do not count.
    pub by_priority: bool,
    /// Whether every wait is measured, which costs a reading of the clock as a
    /// call joins the line. Without it only those are that may end by a
    /// deadline; of the others an eviction or a close tells no time.
    pub measure_waits: bool,
    /// Which key is next for a free slot of the total.
    pub fairness: Fairness,
    /// How many keys there may be at once. A key counts while anything runs
    /// or waits under it, and is forgotten with the last.
    pub max_keys: usize,
    /// What becomes of a call under one key more.
    pub overflow: KeyOverflow,
}

impl KeyedOptions {
    /// How many keys there may be at once, unless it is said otherwise.
    pub const MAX_KEYS: usize = 10_000;

    /// A fixed total and the same limit for each key, without a line, which
    /// would measure every wait.
    pub const fn new(limit: Limit, key_limit: Limit) -> Self {
        Self {
            limit,
            max_limit: None,
            key: KeyPlan::new(key_limit),
            queue_limit: 0,
            key_queue_limit: 0,
            queue_timeout: None,
            by_priority: false,
            measure_waits: true,
            fairness: Fairness::Arrival,
            max_keys: Self::MAX_KEYS,
            overflow: KeyOverflow::Refuse,
        }
    }
}
