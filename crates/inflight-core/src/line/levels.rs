use slab::Slab;

use super::list::List;
use super::node::{Key, Nodes, Stage};
use super::tree::Tree;

/// Those who wait, by priority.
///
/// Where priorities are many, most have one waiter: the tree leads straight to
/// that one. Only where others have joined it is there a [`Level`].
pub(super) struct Levels {
    tree: Tree,
    shared: Slab<Level>,
}

/// Where a waiter stands.
#[derive(Clone, Copy)]
pub(crate) enum Post {
    /// Alone at this priority.
    Alone(i32),
    /// On the list of this level.
    Shared(u32),
}

struct Level {
    priority: i32,
    members: List,
    len: u32,
}

/// What the tree leads to: a waiter, or a level (with the top bit).
#[derive(Clone, Copy)]
enum Branch {
    Alone(Key),
    Shared(u32),
}

impl Levels {
    pub(super) fn new() -> Self {
        Self {
            tree: Tree::new(),
            shared: Slab::new(),
        }
    }

    /// Puts a waiter that is alone behind the others of its priority.
    #[inline]
    pub(super) fn join(&mut self, nodes: &mut Nodes, priority: i32, key: Key) {
        let Some(there) = self.tree.enter(priority, Branch::Alone(key).code()) else {
            return;
        };
        let id = match Branch::of(*there) {
            Branch::Shared(id) => id,
            Branch::Alone(first) => {
                let id = share(&mut self.shared, nodes, priority, first);
                *there = Branch::Shared(id).code();
                id
            }
        };
        self.shared[id as usize].push_back(nodes, id, key);
    }

    #[inline]
    pub(super) fn leave(&mut self, nodes: &mut Nodes, post: Post, key: Key) {
        let priority = match post {
            Post::Alone(priority) => priority,
            Post::Shared(id) => {
                let level = &mut self.shared[id as usize];
                level.members.remove(nodes, key);
                level.len -= 1;
                if level.len > 0 {
                    return;
                }
                self.shared.remove(id as usize).priority
            }
        };
        self.tree.remove(priority);
        if self.tree.is_empty() {
            // Forgets the order in which the levels were given up.
            self.shared.clear();
        }
    }

    /// Who came first of the highest.
    #[inline]
    pub(super) fn head(&self) -> Option<Key> {
        let (_, there) = self.tree.largest()?;
        match Branch::of(there) {
            Branch::Alone(key) => Some(key),
            Branch::Shared(id) => self.shared[id as usize].members.head(),
        }
    }

    #[inline]
    pub(super) fn highest(&self) -> Option<i32> {
        let (highest, _) = self.tree.largest()?;
        Some(highest)
    }

    #[inline]
    pub(super) fn newest_of_lowest(&self) -> Option<(i32, Key)> {
        let (lowest, there) = self.tree.smallest()?;
        let newest = match Branch::of(there) {
            Branch::Alone(key) => Some(key),
            Branch::Shared(id) => self.shared[id as usize].members.tail(),
        };
        Some((lowest, newest?))
    }

    /// How many there are at each priority.
    pub(super) fn iter(&self) -> impl Iterator<Item = (i32, u32)> {
        self.tree.iter().map(|(priority, there)| {
            let len = match Branch::of(there) {
                Branch::Alone(_) => 1,
                Branch::Shared(id) => self.shared[id as usize].len,
            };
            (priority, len)
        })
    }
}

/// Makes a level of the one who was alone.
fn share(shared: &mut Slab<Level>, nodes: &mut Nodes, priority: i32, first: Key) -> u32 {
    let level = Level {
        priority,
        members: List::EMPTY,
        len: 0,
    };
    let id = u32::try_from(shared.insert(level)).expect("levels are fewer than waiters");
    shared[id as usize].push_back(nodes, id, first);
    id
}

impl Level {
    #[inline]
    fn push_back(&mut self, nodes: &mut Nodes, id: u32, key: Key) {
        if let Stage::Waiting { post, .. } = &mut nodes.get_mut(key).stage {
            *post = Post::Shared(id);
        }
        self.members.push_back(nodes, key);
        self.len += 1;
    }
}

impl Branch {
    #[inline]
    fn of(code: u32) -> Self {
        if code & SHARED == 0 {
            Self::Alone(Key::from_code(code))
        } else {
            Self::Shared(code & !SHARED)
        }
    }

    #[inline]
    fn code(self) -> u32 {
        match self {
            Self::Alone(key) => key.code(),
            Self::Shared(id) => id | SHARED,
        }
    }
}

const SHARED: u32 = 1 << 31;
