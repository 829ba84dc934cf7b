use super::list::List;
use super::node::{Key, Nodes, Place, Stage};
use super::tree::Tree;
use crate::ticket::NO_DEADLINE;

/// Who waits: by priority, first come, first served inside one.
///
/// # Invariants
///
/// 1. The nodes that are `Waiting` are exactly those on a level's list, and
///    exactly those on the thread from `oldest` to `newest`; `queued` of them.
/// 2. No level is empty; `timed` waiters have a deadline.
pub(crate) struct Line {
    pub(crate) nodes: Nodes,
    levels: Tree<Level>,
    oldest: Key,
    newest: Key,
    queued: u32,
    timed: u32,
}

struct Level {
    members: List,
    len: u32,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Nodes::new(),
            levels: Tree::new(),
            oldest: Key::NONE,
            newest: Key::NONE,
            queued: 0,
            timed: 0,
        }
    }

    /// Takes the last place of `priority`.
    #[inline]
    pub(crate) fn join(&mut self, priority: i32, weight: u32, since: u64, deadline: u64) -> Key {
        let level = self.levels.enter(priority, Level::EMPTY);
        let key = self.nodes.insert(Stage::Waiting(Place {
            older: self.newest,
            newer: Key::NONE,
            level,
            weight,
            deadline,
            since,
        }));
        let Level { members, len } = self.levels.value_mut(level);
        members.push_back(&mut self.nodes, key);
        *len += 1;
        if self.newest.is_none() {
            self.oldest = key;
        } else {
            self.nodes.place_mut(self.newest).newer = key;
        }
        self.newest = key;
        self.queued += 1;
        self.timed += u32::from(deadline != NO_DEADLINE);
        key
    }

    /// Gives a place up and says since when it was held. The node stays; what
    /// it becomes is the caller's to say.
    #[inline]
    pub(crate) fn leave(&mut self, key: Key) -> u64 {
        let place = self.nodes.place(key);
        let (older, newer, level_id) = (place.older, place.newer, place.level);
        let (since, deadline) = (place.since, place.deadline);
        let level = self.levels.value_mut(level_id);
        level.members.remove(&mut self.nodes, key);
        level.len -= 1;
        if level.len == 0 {
            self.levels.remove(level_id);
        }
        if older.is_none() {
            self.oldest = newer;
        } else {
            self.nodes.place_mut(older).newer = newer;
        }
        if newer.is_none() {
            self.newest = older;
        } else {
            self.nodes.place_mut(newer).older = older;
        }
        self.queued -= 1;
        self.timed -= u32::from(deadline != NO_DEADLINE);
        since
    }

    /// Who is next.
    #[inline]
    pub(crate) fn head(&self) -> Option<Key> {
        self.levels.largest()?.1.members.head()
    }

    /// Whether an arrival of `priority` would be next.
    #[inline]
    pub(crate) fn is_ahead(&self, priority: i32) -> bool {
        self.levels
            .largest()
            .is_none_or(|(largest, _)| priority > largest)
    }

    /// The lowest priority, and who was the last to join at it.
    pub(crate) fn newest_of_lowest(&self) -> Option<(i32, Key)> {
        let (priority, level) = self.levels.smallest()?;
        Some((priority, level.members.tail()?))
    }

    /// Who has waited longest.
    pub(crate) fn oldest(&self) -> Option<Key> {
        (!self.oldest.is_none()).then_some(self.oldest)
    }

    /// How many wait.
    #[inline]
    pub(crate) fn queued(&self) -> u32 {
        self.queued
    }

    /// How many of them have a deadline.
    #[inline]
    pub(crate) fn timed(&self) -> u32 {
        self.timed
    }

    /// How many wait at each priority at which anybody does, in no particular
    /// order.
    pub(crate) fn levels(&self) -> impl Iterator<Item = (i32, u32)> {
        self.levels
            .iter()
            .map(|(priority, level)| (priority, level.len))
    }
}

impl Level {
    const EMPTY: Self = Self {
        members: List::EMPTY,
        len: 0,
    };
}
