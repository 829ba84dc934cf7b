use std::collections::BTreeSet;

use super::waiting::Place;
use crate::ticket::NO_DEADLINE;

/// Waiters that have a deadline, the soonest first.
#[derive(Default)]
pub(super) struct Deadlines(BTreeSet<(u64, u64, u32)>);

impl Deadlines {
    pub(super) fn join(&mut self, waiter: u32, place: &Place) {
        if place.deadline != NO_DEADLINE {
            self.0.insert(entry(waiter, place));
        }
    }

    pub(super) fn leave(&mut self, waiter: u32, place: &Place) {
        if place.deadline != NO_DEADLINE {
            self.0.remove(&entry(waiter, place));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One whose time has come.
    pub(super) fn late(&self, now: u64) -> Option<u32> {
        let &(deadline, _, waiter) = self.0.first()?;
        (deadline <= now).then_some(waiter)
    }
}

fn entry(waiter: u32, place: &Place) -> (u64, u64, u32) {
    (place.deadline, place.arrival, waiter)
}
