use super::arrivals::Arrivals;
use super::levels::{Levels, Post};
use super::node::{Key, Nodes, Stage};
use crate::ticket::NO_DEADLINE;

/// Who waits: by priority, first come, first served inside one.
///
/// # Invariants
///
/// 1. The nodes that are `Waiting` are exactly those at a level; `queued` of
///    them.
/// 2. All of them who have a deadline are in `arrivals`, and all who came after
///    any who is.
/// 3. No level is empty.
pub(crate) struct Line {
    pub(crate) nodes: Nodes,
    levels: Levels,
    arrivals: Arrivals,
    queued: u32,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Nodes::new(),
            levels: Levels::new(),
            arrivals: Arrivals::new(),
            queued: 0,
        }
    }

    /// Takes the last place of `priority`.
    #[inline]
    pub(crate) fn join(&mut self, priority: i32, weight: u32, since: u64, deadline: u64) -> Key {
        let key = self.nodes.insert(Stage::Waiting {
            since,
            post: Post::Alone(priority),
            weight,
            arrival: Arrivals::NONE,
        });
        self.levels.join(&mut self.nodes, priority, key);
        if self.arrivals.wants(deadline) {
            self.note_arrival(key, deadline);
        }
        self.queued += 1;
        key
    }

    fn note_arrival(&mut self, key: Key, deadline: u64) {
        let index = self.arrivals.push(deadline, key);
        if let Stage::Waiting { arrival, .. } = &mut self.nodes.get_mut(key).stage {
            *arrival = index;
        }
    }

    /// Gives a place up and says since when it was held. The node stays; what
    /// it becomes is the caller's to say.
    #[inline]
    pub(crate) fn leave(&mut self, key: Key) -> u64 {
        let Stage::Waiting {
            since,
            post,
            arrival,
            ..
        } = self.nodes.get(key).stage
        else {
            unreachable!("only waiters stand in the line")
        };
        self.levels.leave(&mut self.nodes, post, key);
        if arrival != Arrivals::NONE {
            self.arrivals.remove(arrival);
        }
        self.queued -= 1;
        since
    }

    /// How heavy the one at `key` is, who waits.
    #[inline]
    pub(crate) fn weight(&self, key: Key) -> u32 {
        match self.nodes.get(key).stage {
            Stage::Waiting { weight, .. } => weight,
            _ => unreachable!("only waiters stand in the line"),
        }
    }

    /// Since when the one at `key` waits.
    #[inline]
    pub(crate) fn since(&self, key: Key) -> u64 {
        match self.nodes.get(key).stage {
            Stage::Waiting { since, .. } => since,
            _ => unreachable!("only waiters stand in the line"),
        }
    }

    /// When the wait of `key` is over; `None` if it does not wait.
    #[inline]
    pub(crate) fn deadline(&self, key: Key) -> Option<u64> {
        match self.nodes.get(key).stage {
            Stage::Waiting { arrival, .. } => Some(self.arrivals.deadline(arrival)),
            _ => None,
        }
    }

    /// Who is next.
    #[inline]
    pub(crate) fn head(&self) -> Option<Key> {
        self.levels.head()
    }

    /// Whether an arrival of `priority` would be next.
    #[inline]
    pub(crate) fn is_ahead(&self, priority: i32) -> bool {
        self.levels
            .highest()
            .is_none_or(|highest| priority > highest)
    }

    /// The lowest priority, and who was the last to join at it.
    #[inline]
    pub(crate) fn newest_of_lowest(&self) -> Option<(i32, Key)> {
        self.levels.newest_of_lowest()
    }

    /// Who has waited longest, and until when, if that one has a deadline.
    #[inline]
    pub(crate) fn oldest_if_timed(&self) -> Option<(Key, u64)> {
        if self.arrivals.len() != self.queued as usize {
            return None;
        }
        let oldest = self.arrivals.oldest();
        oldest.filter(|&(_, deadline)| deadline != NO_DEADLINE)
    }

    /// How many wait.
    #[inline]
    pub(crate) fn queued(&self) -> u32 {
        self.queued
    }

    /// Whether any of them has a deadline.
    #[inline]
    pub(crate) fn is_timed(&self) -> bool {
        self.arrivals.timed() > 0
    }

    /// How many wait at each priority at which anybody does.
    pub(crate) fn levels(&self) -> impl Iterator<Item = (i32, u32)> {
        self.levels.iter()
    }
}
