use slab::Slab;

/// A map from priorities to values, ordered: a crit-bit tree over indices.
///
/// A fork says which is the highest bit in which the priorities below it
/// differ: those without it hang to the left, those with it to the right. So
/// the depth is at most 32 whatever the order of insertion, nothing is ever
/// rebalanced, and a leaf is unhooked without a search. The largest is at hand.
pub(crate) struct Tree<T> {
    leaves: Slab<Leaf<T>>,
    forks: Slab<Fork>,
    root: Branch,
    largest: u32,
}

struct Leaf<T> {
    bits: u32,
    parent: u32,
    value: T,
}

struct Fork {
    /// The one bit that decides.
    bit: u32,
    parent: u32,
    below: [Branch; 2],
}

/// A leaf (with the top bit) or a fork.
#[derive(Clone, Copy, Eq, PartialEq)]
struct Branch(u32);

impl<T> Tree<T> {
    pub(crate) fn new() -> Self {
        Self {
            leaves: Slab::new(),
            forks: Slab::new(),
            root: Branch(NONE),
            largest: NONE,
        }
    }

    /// The leaf of `priority`, made with `value` if there is none.
    #[inline]
    pub(crate) fn enter(&mut self, priority: i32, value: T) -> u32 {
        let bits = bits(priority);
        if self.largest == NONE {
            let leaf = self.add_leaf(bits, NONE, value);
            self.root = Branch::leaf(leaf);
            self.largest = leaf;
            return leaf;
        }
        if self.leaves[self.largest as usize].bits == bits {
            return self.largest;
        }
        let near = self.descend(bits, 0);
        let differing = self.leaves[near.index()].bits ^ bits;
        if differing == 0 {
            return near.0 & !LEAF;
        }
        let bit = 1 << differing.ilog2();
        self.split(bits, bit, value)
    }

    /// Hangs a new leaf beside all that share its bits above `bit`.
    fn split(&mut self, bits: u32, bit: u32, value: T) -> u32 {
        let beside = self.descend(bits, bit);
        let parent = self.parent(beside);
        let leaf = self.add_leaf(bits, NONE, value);
        let mut below = [beside, beside];
        below[side(bits, bit)] = Branch::leaf(leaf);
        let fork = index(self.forks.insert(Fork { bit, parent, below }));
        self.replace_below(parent, beside, Branch(fork));
        self.set_parent(beside, fork);
        self.leaves[leaf as usize].parent = fork;
        if bits > self.leaves[self.largest as usize].bits {
            self.largest = leaf;
        }
        leaf
    }

    /// Follows `bits` down to a leaf, or to the first branch that does not
    /// decide a bit above `stop`.
    fn descend(&self, bits: u32, stop: u32) -> Branch {
        let mut branch = self.root;
        while !branch.is_leaf() {
            let fork = &self.forks[branch.index()];
            if fork.bit <= stop {
                break;
            }
            branch = fork.below[side(bits, fork.bit)];
        }
        branch
    }

    pub(crate) fn remove(&mut self, leaf: u32) {
        let parent = self.leaves.remove(leaf as usize).parent;
        if parent == NONE {
            // Also forgets the order in which the slots were given back.
            self.leaves.clear();
            self.forks.clear();
            self.root = Branch(NONE);
            self.largest = NONE;
            return;
        }
        let fork = self.forks.remove(parent as usize);
        let gone = usize::from(fork.below[1] == Branch::leaf(leaf));
        let sibling = fork.below[1 - gone];
        self.replace_below(fork.parent, Branch(parent), sibling);
        self.set_parent(sibling, fork.parent);
        if leaf == self.largest {
            // The path to the largest only turns right, so what was beside it
            // is larger than all the rest.
            self.largest = self.outermost(sibling, 1).0 & !LEAF;
        }
    }

    #[inline]
    pub(crate) fn largest(&self) -> Option<(i32, &T)> {
        let leaf = self.leaves.get(self.largest as usize)?;
        Some((priority(leaf.bits), &leaf.value))
    }

    pub(crate) fn smallest(&self) -> Option<(i32, &T)> {
        if self.largest == NONE {
            return None;
        }
        let leaf = &self.leaves[self.outermost(self.root, 0).index()];
        Some((priority(leaf.bits), &leaf.value))
    }

    #[inline]
    pub(crate) fn value_mut(&mut self, leaf: u32) -> &mut T {
        &mut self.leaves[leaf as usize].value
    }

    /// All of it, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i32, &T)> {
        self.leaves
            .iter()
            .map(|(_, leaf)| (priority(leaf.bits), &leaf.value))
    }

    fn outermost(&self, mut branch: Branch, side: usize) -> Branch {
        while !branch.is_leaf() {
            branch = self.forks[branch.index()].below[side];
        }
        branch
    }

    fn add_leaf(&mut self, bits: u32, parent: u32, value: T) -> u32 {
        index(self.leaves.insert(Leaf {
            bits,
            parent,
            value,
        }))
    }

    fn parent(&self, branch: Branch) -> u32 {
        if branch.is_leaf() {
            self.leaves[branch.index()].parent
        } else {
            self.forks[branch.index()].parent
        }
    }

    fn set_parent(&mut self, branch: Branch, parent: u32) {
        if branch.is_leaf() {
            self.leaves[branch.index()].parent = parent;
        } else {
            self.forks[branch.index()].parent = parent;
        }
    }

    fn replace_below(&mut self, parent: u32, old: Branch, new: Branch) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let below = &mut self.forks[parent as usize].below;
        below[usize::from(below[1] == old)] = new;
    }
}

impl Branch {
    fn leaf(index: u32) -> Self {
        Self(index | LEAF)
    }

    fn is_leaf(self) -> bool {
        self.0 & LEAF != 0
    }

    fn index(self) -> usize {
        (self.0 & !LEAF) as usize
    }
}

fn side(bits: u32, bit: u32) -> usize {
    usize::from(bits & bit != 0)
}

/// Priorities in an order that holds for unsigned numbers too.
#[expect(
    clippy::cast_sign_loss,
    reason = "the bits are wanted, and the sign is turned"
)]
fn bits(priority: i32) -> u32 {
    priority as u32 ^ SIGN
}

#[expect(clippy::cast_possible_wrap, reason = "turns back what `bits` turned")]
fn priority(bits: u32) -> i32 {
    (bits ^ SIGN) as i32
}

fn index(index: usize) -> u32 {
    u32::try_from(index).expect("there are fewer levels than waiters, which are fewer than 2^31")
}

const SIGN: u32 = 1 << 31;
const LEAF: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

#[cfg(all(test, not(inflight_loom)))]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn priorities() -> impl Strategy<Value = i32> {
        prop_oneof![
            -3..3i32,
            any::<i32>(),
            Just(i32::MIN),
            Just(i32::MAX),
            (0..31u32).prop_map(|bit| 1 << bit),
        ]
    }

    proptest! {
        #[test]
        fn it_is_an_ordered_map(
            steps in proptest::collection::vec((any::<bool>(), priorities()), 0..200)
        ) {
            let mut tree = Tree::new();
            let mut model = BTreeMap::new();
            for (enter, priority) in steps {
                if enter {
                    let leaf = tree.enter(priority, priority);
                    prop_assert_eq!(*model.entry(priority).or_insert(leaf), leaf);
                    prop_assert_eq!(*tree.value_mut(leaf), priority);
                } else if let Some((&near, &leaf)) = model.range(priority..).next() {
                    model.remove(&near);
                    tree.remove(leaf);
                }
                let first = model.first_key_value().map(|(&priority, _)| priority);
                let last = model.last_key_value().map(|(&priority, _)| priority);
                prop_assert_eq!(tree.smallest().map(|(priority, _)| priority), first);
                prop_assert_eq!(tree.largest().map(|(priority, _)| priority), last);
                let mut all: Vec<_> = tree.iter().map(|(priority, _)| priority).collect();
                all.sort_unstable();
                prop_assert!(all.iter().eq(model.keys()));
                prop_assert_eq!(tree.forks.len(), model.len().saturating_sub(1));
            }
        }
    }
}
