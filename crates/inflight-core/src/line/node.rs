use std::task::Waker;

use super::levels::Post;
use crate::Refusal;

/// Everyone whom the gate has to remember: those who wait, those who have an
/// answer that they have not fetched, and those who wait for it to drain.
///
/// Nodes are written and read where they lie. A general slab moves them in and
/// out whole, and to copy in large words what was just written in small ones
/// stalls the processor. They lie in blocks, so that a line that grows is not
/// copied, under the lock, and takes no more memory than it needs.
pub(crate) struct Nodes {
    #[expect(
        clippy::vec_box,
        reason = "a block stays where it is when there are more"
    )]
    blocks: Vec<Box<[Node; BLOCK]>>,
    /// The slots that were given back, linked by `next`.
    free: Key,
    /// The slots from here on have not been used since the last fresh start.
    fresh: u32,
    used: u32,
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
    Waiting {
        since: u64,
        post: Post,
        weight: u32,
        /// Where it stands in the order of arrival, if that is kept.
        arrival: u32,
    },
    Granted {
        weight: u32,
        since: u64,
    },
    Refused(Refusal),
    Watching,
    Drained,
}

/// Where a node lies; four bytes, since a waiter carries several.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Key(u32);

impl Key {
    pub(crate) const NONE: Self = Self(u32::MAX);
    /// No code is as large.
    const END: u32 = 1 << 31;

    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }

    pub(crate) fn code(self) -> u32 {
        self.0
    }

    pub(crate) fn from_code(code: u32) -> Self {
        Self(code)
    }

    fn block(self) -> usize {
        self.0 as usize / BLOCK
    }
}

impl Nodes {
    pub(crate) fn new() -> Self {
        Self {
            blocks: Vec::new(),
            free: Key::NONE,
            fresh: 0,
            used: 0,
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, stage: Stage) -> Key {
        self.used += 1;
        let key = if self.free.is_none() {
            self.unused()
        } else {
            self.free
        };
        let node = self.get_mut(key);
        node.stage = stage;
        self.free = node.next;
        key
    }

    /// A slot whose `next` is none.
    fn unused(&mut self) -> Key {
        let key = Key(self.fresh);
        assert!(key.0 < Key::END, "the line is shorter than 2^31");
        if key.block() == self.blocks.len() {
            self.grow();
        }
        self.fresh += 1;
        self.get_mut(key).next = Key::NONE;
        key
    }

    #[cold]
    fn grow(&mut self) {
        let block: Box<[Node]> = (0..BLOCK).map(|_| Node::UNUSED).collect();
        let block = block.try_into().ok();
        self.blocks.push(block.expect("it is as long as a block"));
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
            self.free = Key::NONE;
            self.fresh = 0;
        }
        waker
    }

    #[inline]
    pub(crate) fn get(&self, key: Key) -> &Node {
        &self.blocks[key.block()][key.0 as usize % BLOCK]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: Key) -> &mut Node {
        &mut self.blocks[key.block()][key.0 as usize % BLOCK]
    }
}

impl Node {
    const UNUSED: Self = Self {
        waker: None,
        previous: Key::NONE,
        next: Key::NONE,
        stage: Stage::Drained,
    };
}

/// Little enough for a gate at which few ever wait.
const BLOCK: usize = 32;
