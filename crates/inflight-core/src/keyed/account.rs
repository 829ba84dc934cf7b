use std::num::NonZeroU32;

use super::plan::KeyPlan;
use super::virtual_time::VirtualTime;
use crate::room::Room;
use crate::word::{State as Mark, Word};
use crate::{Limit, Snapshot};

/// What a key may have, and what it has.
///
/// Whoever may change it owns it: the shard while nobody of the key waits, else
/// the line.
#[derive(Clone, Copy)]
pub(super) struct Account {
    /// The virtual time at which its last grant ends; see
    /// [`Order`](super::order::Order).
    pub(super) finish: VirtualTime,
    pub(super) share: NonZeroU32,
    limit: u32,
    in_flight: u32,
}

impl Account {
    pub(super) fn new(plan: KeyPlan) -> Self {
        let mut account = Self {
            finish: VirtualTime::ZERO,
            share: plan.share,
            limit: 0,
            in_flight: 0,
        };
        account.set_limit(plan.limit);
        account
    }

    pub(super) fn set_limit(&mut self, limit: Limit) {
        self.limit = u32::try_from(limit.units()).expect("a limit has 31 bits");
    }

    /// Adds what runs from now on.
    pub(super) fn take(&mut self, weight: u32) {
        self.in_flight += weight;
        debug_assert!(
            self.in_flight <= self.limit || self.in_flight == weight,
            "a key has more in flight than its limit"
        );
    }

    /// Subtracts what has ended.
    pub(super) fn give_back(&mut self, weight: u32) {
        debug_assert!(self.in_flight >= weight, "a permit came back twice");
        self.in_flight -= weight;
    }

    pub(super) fn is_idle(&self) -> bool {
        self.in_flight == 0
    }

    /// Whether `weight` more stays within the limit.
    pub(super) fn admits(&self, weight: u32) -> bool {
        u64::from(self.in_flight) + u64::from(weight) <= u64::from(self.limit)
    }

    /// Whether `weight` can never run while the limit is what it is.
    pub(super) fn is_below(&self, weight: u32) -> bool {
        self.limit < weight
    }

    /// Whether `weight` more may run, if only alone: one may have become
    /// heavier than the limit while it waited.
    pub(super) fn fits(&self, weight: u32) -> bool {
        self.room().fits(weight.into())
    }

    pub(super) fn word(&self) -> Word {
        self.room().word(Mark::Free)
    }

    pub(super) fn snapshot(&self, queued: usize) -> Snapshot {
        Snapshot {
            limit: self.limit as usize,
            max_limit: self.limit as usize,
            in_flight: self.in_flight as usize,
            available: self.limit.saturating_sub(self.in_flight) as usize,
            queued,
        }
    }

    fn room(&self) -> Room {
        Room {
            limit: self.limit.into(),
            in_flight: self.in_flight.into(),
        }
    }
}
