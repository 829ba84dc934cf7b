mod block;

use slab::Slab;

use self::block::Block;

/// A map from priorities to indices, ordered: a B+ tree.
///
/// A block is given up only when it is empty, and never merged with another.
/// What bounds the depth is that priorities have 32 bits: a block is split only
/// when it is full, so that each half spans at least [`Block::HALF`] times as
/// many priorities as what is below it. Both ends are at hand.
pub(crate) struct Tree {
    blocks: Slab<Block>,
    root: u32,
    /// How many blocks there are above one with values.
    height: u32,
    /// The block with the smallest.
    first: u32,
    /// The block with the largest.
    last: u32,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            blocks: Slab::new(),
            root: NONE,
            height: 0,
            first: NONE,
            last: NONE,
        }
    }

    /// Puts `value` at `priority`, unless there is one: that comes back then.
    #[inline]
    pub(crate) fn enter(&mut self, priority: i32, value: u32) -> Option<&mut u32> {
        if self.is_empty() {
            self.enter_first(priority, value);
            return None;
        }
        let lowest = self.lowest(priority);
        let rank = self.block(lowest).rank(priority);
        // Looked up twice, for the borrow of what is returned.
        if self.block_mut(lowest).before(rank, priority).is_some() {
            return self.block_mut(lowest).before(rank, priority);
        }
        let block = self.block_mut(lowest);
        if block.is_full() {
            self.split_for(priority, value);
        } else {
            block.insert(rank, priority, value);
        }
        None
    }

    fn enter_first(&mut self, priority: i32, value: u32) {
        self.root = self.add(Block::of(&[(priority, value)]));
        self.height = 0;
        self.first = self.root;
        self.last = self.root;
    }

    /// Adds a value whose block is full.
    #[cold]
    fn split_for(&mut self, priority: i32, value: u32) {
        let split = self.add_below(self.root, self.height, (priority, value));
        if let Some(upper) = split {
            let (least, _) = self.block(self.root).first();
            self.root = self.add(Block::of(&[(least, self.root), upper]));
            self.height += 1;
        }
        self.last = self.outermost(Block::last);
    }

    /// Adds a value below `block`, and returns its upper half if it was split.
    fn add_below(&mut self, block: u32, height: u32, value: (i32, u32)) -> Option<(i32, u32)> {
        let (key, below) = if height == 0 {
            value
        } else {
            let child = self.block(block).towards(value.0);
            let upper = self.add_below(child, height - 1, value)?;
            let (least, _) = self.block(child).first();
            self.block_mut(block).begin_at(least);
            upper
        };
        let lower = self.block_mut(block);
        if !lower.is_full() {
            lower.insert(lower.rank(key), key, below);
            return None;
        }
        let mut upper = lower.split();
        let (least, _) = upper.first();
        let half = if key < least { lower } else { &mut upper };
        half.insert(half.rank(key), key, below);
        Some((upper.first().0, self.add(upper)))
    }

    /// Removes what is at `priority`, where there is something.
    #[inline]
    pub(crate) fn remove(&mut self, priority: i32) {
        let lowest = self.lowest(priority);
        let block = self.block_mut(lowest);
        // Mostly the head of the line leaves, and is found at the end.
        let (largest, _) = block.last();
        let rank = if priority == largest {
            block.len()
        } else {
            block.rank(priority)
        };
        block.remove(rank - 1);
        if block.is_empty() {
            self.prune(priority);
        }
    }

    /// Gives up the empty block on the way to `priority`, and whatever is of no
    /// use without it.
    #[cold]
    fn prune(&mut self, priority: i32) {
        self.prune_below(self.root, self.height, priority);
        if self.block(self.root).is_empty() {
            // Also forgets the order in which the blocks were given up.
            *self = Self {
                blocks: std::mem::take(&mut self.blocks),
                ..Self::new()
            };
            self.blocks.clear();
            return;
        }
        while self.height > 0 && self.block(self.root).len() == 1 {
            let (_, below) = self.blocks.remove(self.root as usize).first();
            self.root = below;
            self.height -= 1;
        }
        self.first = self.outermost(Block::first);
        self.last = self.outermost(Block::last);
    }

    fn prune_below(&mut self, block: u32, height: u32, priority: i32) {
        if height == 0 {
            return;
        }
        let rank = self.block(block).rank(priority);
        let child = self.block(block).towards(priority);
        self.prune_below(child, height - 1, priority);
        if self.block(child).is_empty() {
            self.blocks.remove(child as usize);
            self.block_mut(block).remove(rank.saturating_sub(1));
        }
    }

    /// The largest priority, and what is there.
    #[inline]
    pub(crate) fn largest(&self) -> Option<(i32, u32)> {
        self.blocks.get(self.last as usize).map(Block::last)
    }

    /// The smallest priority, and what is there.
    #[inline]
    pub(crate) fn smallest(&self) -> Option<(i32, u32)> {
        self.blocks.get(self.first as usize).map(Block::first)
    }

    /// All of it, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i32, u32)> {
        let mut row: Vec<_> = if self.is_empty() {
            vec![]
        } else {
            vec![self.root]
        };
        for _ in 0..self.height {
            let below = |&block| self.block(block).entries();
            row = row.iter().flat_map(below).map(|(_, below)| below).collect();
        }
        row.into_iter()
            .flat_map(|block| self.block(block).entries())
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.root == NONE
    }

    /// The block in which `priority` is, or would be.
    #[inline]
    fn lowest(&self, priority: i32) -> u32 {
        if self.height == 0 || priority >= self.block(self.last).first().0 {
            return self.last;
        }
        self.walk(priority)
    }

    fn walk(&self, priority: i32) -> u32 {
        let mut block = self.root;
        for _ in 0..self.height {
            block = self.block(block).towards(priority);
        }
        block
    }

    /// The block with values at the end of the way on which `next` is the next.
    fn outermost(&self, next: impl Fn(&Block) -> (i32, u32)) -> u32 {
        let mut block = self.root;
        for _ in 0..self.height {
            (_, block) = next(self.block(block));
        }
        block
    }

    #[inline]
    fn block(&self, block: u32) -> &Block {
        &self.blocks[block as usize]
    }

    #[inline]
    fn block_mut(&mut self, block: u32) -> &mut Block {
        &mut self.blocks[block as usize]
    }

    fn add(&mut self, block: Block) -> u32 {
        let index = u32::try_from(self.blocks.insert(block));
        index.expect("there are fewer blocks than waiters, which are fewer than 2^31")
    }
}

const NONE: u32 = u32::MAX;

#[cfg(all(test, not(inflight_loom)))]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    impl Tree {
        /// How many values there are below `block`, all in order, from `least`
        /// on and before `end`.
        fn check(&self, block: u32, height: u32, least: i64, end: i64) -> usize {
            let block = self.block(block);
            assert!(!block.is_empty(), "an empty block is given up");
            let (mut from, mut values) = (least, 0);
            let entries: Vec<_> = block.entries().collect();
            for (at, &(key, below)) in entries.iter().enumerate() {
                let next = entries.get(at + 1).map_or(end, |&(key, _)| key.into());
                let key = i64::from(key);
                assert!(at == 0 || from == key);
                assert!(key < next);
                values += if height == 0 {
                    assert!(least <= key);
                    1
                } else {
                    self.check(below, height - 1, from, next)
                };
                from = next;
            }
            values
        }

        fn check_all(&self, values: usize) {
            if self.is_empty() {
                assert_eq!((self.blocks.len(), values), (0, 0));
                return;
            }
            let (least, end) = (i64::from(i32::MIN), i64::from(i32::MAX) + 1);
            assert_eq!(self.check(self.root, self.height, least, end), values);
            assert!(self.blocks.len() <= 2 * values);
            assert!(self.height == 0 || self.block(self.root).len() > 1);
        }
    }

    fn priorities() -> impl Strategy<Value = i32> {
        prop_oneof![
            -3..3i32,
            any::<i32>(),
            -500..500i32,
            Just(i32::MIN),
            Just(i32::MAX),
            (0..31u32).prop_map(|bit| 1 << bit),
        ]
    }

    proptest! {
        #[test]
        fn it_is_an_ordered_map(
            steps in proptest::collection::vec(
                (prop::bool::weighted(0.6), priorities()), 0..800)
        ) {
            let mut tree = Tree::new();
            let mut model = BTreeMap::new();
            for ((enter, priority), value) in steps.into_iter().zip(0..) {
                if enter {
                    let there = tree.enter(priority, value).copied();
                    prop_assert_eq!(there, model.get(&priority).copied());
                    model.entry(priority).or_insert(value);
                } else if let Some((&near, _)) = model.range(priority..).next() {
                    model.remove(&near);
                    tree.remove(near);
                }
                let ends = [model.first_key_value(), model.last_key_value()];
                let [first, last] = ends.map(|end| end.map(|(&key, &value)| (key, value)));
                prop_assert_eq!(tree.smallest(), first);
                prop_assert_eq!(tree.largest(), last);
                tree.check_all(model.len());
            }
            prop_assert!(tree.iter().eq(model));
        }
    }

    #[test]
    fn what_leaves_from_either_end_leaves_no_blocks() {
        for reversed in [false, true] {
            let mut tree = Tree::new();
            let priorities = || (0..10_000).map(|at| if reversed { 10_000 - at } else { at });
            priorities().zip(0..).for_each(|(priority, value)| {
                assert_eq!(tree.enter(priority, value), None);
            });
            assert!(tree.height > 2);
            for (priority, left) in priorities().zip((0..10_000).rev()) {
                tree.remove(priority);
                if left % 100 == 0 {
                    tree.check_all(left);
                }
            }
        }
    }
}
