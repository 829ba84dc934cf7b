use std::collections::BTreeMap;

use super::deadlines::Deadlines;
use super::list::List;
use super::slots::Slots;
use super::waiting::{Place, Waiting};
use crate::ticket::NO_DEADLINE;

/// The callers of one key that wait: by priority, first come, first served
/// inside one.
///
/// Mostly they are few, or of one priority, and need no tree.
///
/// # Invariants
///
/// 1. `highest` is empty iff nobody waits; all others have priorities below
///    its `priority`, and none of their lists is empty.
/// 2. Where several wait, `deadlines` holds those that have one.
pub(super) struct Members {
    len: u32,
    priority: i32,
    highest: List,
    crowd: Option<Box<Crowd>>,
}

#[derive(Default)]
struct Crowd {
    lower: BTreeMap<i32, List>,
    deadlines: Deadlines,
}

impl Members {
    pub(super) const NOBODY: Self = Self {
        len: 0,
        priority: 0,
        highest: List::EMPTY,
        crowd: None,
    };

    /// Takes the last place of its priority.
    pub(super) fn join(&mut self, waiters: &mut Slots<Waiting>, waiter: u32, place: &Place) {
        if let (1, Some(first)) = (self.len, self.head()) {
            self.note_deadline(first, waiters.get(first).place());
        }
        if self.len > 0 {
            self.note_deadline(waiter, place);
        }
        self.make_level(place.priority);
        self.level(place.priority).push_back(waiters, waiter);
        self.len += 1;
    }

    pub(super) fn leave(&mut self, waiters: &mut Slots<Waiting>, waiter: u32, place: &Place) {
        let level = self.level(place.priority);
        level.remove(waiters, waiter);
        if level.is_empty() {
            self.forget_level(place.priority);
        }
        self.len -= 1;
        match &mut self.crowd {
            Some(_) if self.len == 0 => self.crowd = None,
            Some(crowd) => crowd.deadlines.leave(waiter, place),
            None => {}
        }
    }

    /// Who is next.
    pub(super) fn head(&self) -> Option<u32> {
        self.highest.head()
    }

    /// Whether an arrival of `priority` would be next.
    pub(super) fn is_ahead(&self, priority: i32) -> bool {
        self.len == 0 || priority > self.priority
    }

    /// The newest of the lowest priority, if that is below `priority`.
    pub(super) fn evictable_by(&self, priority: i32) -> Option<u32> {
        let crowd = self.crowd.as_ref();
        let (lowest, list) = crowd
            .and_then(|crowd| crowd.lower.first_key_value())
            .unwrap_or((&self.priority, &self.highest));
        list.tail().filter(|_| *lowest < priority)
    }

    /// One whose time has come.
    pub(super) fn late(&self, waiters: &Slots<Waiting>, now: u64) -> Option<u32> {
        if self.len > 1 {
            return self.crowd.as_ref()?.deadlines.late(now);
        }
        let only = self.head()?;
        (waiters.get(only).place().deadline <= now).then_some(only)
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    fn note_deadline(&mut self, waiter: u32, place: &Place) {
        if place.deadline != NO_DEADLINE {
            self.crowd().deadlines.join(waiter, place);
        }
    }

    /// Makes sure that there is a list for `priority`.
    fn make_level(&mut self, priority: i32) {
        if self.is_ahead(priority) {
            if self.len > 0 {
                let (below, list) = (self.priority, self.highest);
                self.crowd().lower.insert(below, list);
            }
            self.priority = priority;
            self.highest = List::EMPTY;
        } else if priority < self.priority {
            self.crowd().lower.entry(priority).or_insert(List::EMPTY);
        }
    }

    /// Takes an empty list away.
    fn forget_level(&mut self, priority: i32) {
        let Some(crowd) = &mut self.crowd else {
            return;
        };
        if priority < self.priority {
            crowd.lower.remove(&priority);
        } else if let Some((highest, list)) = crowd.lower.pop_last() {
            self.priority = highest;
            self.highest = list;
        }
    }

    fn level(&mut self, priority: i32) -> &mut List {
        if priority == self.priority {
            return &mut self.highest;
        }
        let lower = &mut self.crowd().lower;
        lower.get_mut(&priority).expect("there is a list for it")
    }

    fn crowd(&mut self) -> &mut Crowd {
        self.crowd.get_or_insert_default()
    }
}
