//! The line: who waits, in which order, and how they are found.
//!
//! Waiters live in one slab, so that nothing is allocated once it has grown;
//! each priority of the [`Levels`](levels::Levels) is a [`List`](list::List)
//! threaded through the slab, and they stand in a [`Tree`](tree::Tree); where
//! anybody has a deadline [`Arrivals`](arrivals::Arrivals) keeps the order of
//! arrival, too. Entering, leaving from any
//! place, the head, and the newest of the lowest priority cost at most one walk
//! of the tree, which grows with the distinct priorities and not with the
//! waiters.

mod arrivals;
mod levels;
mod list;
mod node;
mod queue;
mod tree;

pub(crate) use self::list::List;
pub(crate) use self::node::{Key, Stage};
pub(crate) use self::queue::Line;
