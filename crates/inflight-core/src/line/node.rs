use std::task::Waker;

use crate::Refusal;

/// Everyone whom the gate has to remember: those who wait, those who have an
/// answer that they have not fetched, and those who wait for it to drain.
///
/// Nodes are written and read where they lie. A general slab moves them in and
/// out whole, and to copy in large words what was just written in small ones
/// stalls the processor.
pub(crate) struct Nodes {
    slots: Vec<Node>,
    /// The slots that were given back, linked by `next`.
    free: Key,
    used: usize,
}

pub(crate) struct Node {
    pub(crate) waker: Option<Waker>,
    /// Neighbours in the one list that the node is on, if any: its level, the
    /// watchers, or those to be woken.
    pub(super) previous: Key,
    pub(super) next: Key,
    pub(crate) stage: Stage,
}

pub(crate) enum Stage {
    Waiting(Place),
    Granted { weight: u64, since: u64 },
    Refused(Refusal),
    Watching,
    Drained,
}

/// A place in the line.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Neighbours in the order of arrival.
    pub(super) older: Key,
    pub(super) newer: Key,
    pub(super) level: u32,
    pub(crate) weight: u32,
    pub(crate) deadline: u64,
    pub(crate) since: u64,
}

/// Where a node lies; four bytes, since a waiter carries several.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Key(u32);

impl Key {
    pub(crate) const NONE: Self = Self(u32::MAX);

    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }

    pub(crate) fn code(self) -> u32 {
        self.0
    }

    pub(crate) fn from_code(code: u32) -> Self {
        Self(code)
    }
}

impl Nodes {
    pub(crate) fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Key::NONE,
            used: 0,
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, stage: Stage) -> Key {
        self.used += 1;
        if self.free.is_none() {
            return self.grow(stage);
        }
        let key = self.free;
        let node = self.get_mut(key);
        node.stage = stage;
        self.free = node.next;
        key
    }

    #[cold]
    fn grow(&mut self, stage: Stage) -> Key {
        let index = u32::try_from(self.slots.len());
        self.slots.push(Node {
            waker: None,
            previous: Key::NONE,
            next: Key::NONE,
            stage,
        });
        Key(index.expect("the line is shorter than 2^31"))
    }

    /// Gives a slot back and returns what it had for a waker.
    ///
    /// The slots start afresh whenever nobody is left: a free list that
    /// cancellations have scrambled would make later lines walk memory at
    /// random.
    #[inline]
    pub(crate) fn remove(&mut self, key: Key) -> Option<Waker> {
        let free = self.free;
        let node = self.get_mut(key);
        node.next = free;
        let waker = node.waker.take();
        self.free = key;
        self.used -= 1;
        if self.used == 0 {
            self.slots.clear();
            self.free = Key::NONE;
        }
        waker
    }

    #[inline]
    pub(crate) fn get(&self, key: Key) -> &Node {
        &self.slots[key.0 as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: Key) -> &mut Node {
        &mut self.slots[key.0 as usize]
    }

    /// The place of a node that waits.
    #[inline]
    pub(crate) fn place(&self, key: Key) -> &Place {
        match &self.get(key).stage {
            Stage::Waiting(place) => place,
            _ => unreachable!("only waiters stand in the line"),
        }
    }

    #[inline]
    pub(super) fn place_mut(&mut self, key: Key) -> &mut Place {
        match &mut self.get_mut(key).stage {
            Stage::Waiting(place) => place,
            _ => unreachable!("only waiters stand in the line"),
        }
    }
}
