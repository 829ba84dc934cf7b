use slab::Slab;

use super::node::Key;
use crate::ticket::NO_DEADLINE;

/// In which order they came: those who have a deadline, and whoever joins while
/// any of these is still here.
///
/// Whoever waits and is not among them came before them all. So a line in which
/// nobody has a deadline pays nothing for the order.
pub(super) struct Arrivals {
    entries: Slab<Entry>,
    oldest: u32,
    newest: u32,
    timed: u32,
}

struct Entry {
    deadline: u64,
    waiter: Key,
    older: u32,
    newer: u32,
}

impl Arrivals {
    /// Stands for "is not among them".
    pub(super) const NONE: u32 = u32::MAX;

    pub(super) fn new() -> Self {
        Self {
            entries: Slab::new(),
            oldest: Self::NONE,
            newest: Self::NONE,
            timed: 0,
        }
    }

    /// Whether one with this deadline has to be among them.
    #[inline]
    pub(super) fn wants(&self, deadline: u64) -> bool {
        deadline != NO_DEADLINE || self.newest != Self::NONE
    }

    pub(super) fn push(&mut self, deadline: u64, waiter: Key) -> u32 {
        let older = self.newest;
        let index = self.entries.insert(Entry {
            deadline,
            waiter,
            older,
            newer: Self::NONE,
        });
        let index = u32::try_from(index).expect("they are fewer than 2^31");
        self.newest = index;
        match self.entry_mut(older) {
            Some(older) => older.newer = index,
            None => self.oldest = index,
        }
        self.timed += u32::from(deadline != NO_DEADLINE);
        index
    }

    pub(super) fn remove(&mut self, index: u32) {
        let gone = self.entries.remove(index as usize);
        match self.entry_mut(gone.older) {
            Some(older) => older.newer = gone.newer,
            None => self.oldest = gone.newer,
        }
        match self.entry_mut(gone.newer) {
            Some(newer) => newer.older = gone.older,
            None => self.newest = gone.older,
        }
        self.timed -= u32::from(gone.deadline != NO_DEADLINE);
        if self.entries.is_empty() {
            // Forgets the order in which the slots were given back.
            self.entries.clear();
        }
    }

    #[inline]
    pub(super) fn deadline(&self, index: u32) -> u64 {
        match self.entries.get(index as usize) {
            Some(entry) => entry.deadline,
            None => NO_DEADLINE,
        }
    }

    /// Who came first, and the deadline of that one.
    pub(super) fn oldest(&self) -> Option<(Key, u64)> {
        let entry = self.entries.get(self.oldest as usize)?;
        Some((entry.waiter, entry.deadline))
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many have a deadline.
    #[inline]
    pub(super) fn timed(&self) -> u32 {
        self.timed
    }

    fn entry_mut(&mut self, index: u32) -> Option<&mut Entry> {
        self.entries.get_mut(index as usize)
    }
}
