//! What is measured beside ours, each at its own documented defaults but for the limit.
//!
//! A file says how one peer is built for each question that it can answer: `service` has room,
//! `full` has none and sheds, `line` has callers wait for one permit.

pub mod bulkhead;
pub mod floor;
pub mod global;
pub mod little_loadshedder;
pub mod load_shed;
pub mod priority_semaphore;
pub mod semaphore;
pub mod semaphores_by_key;
pub mod stock;
pub mod tower_acc;

/// A limit that no bench reaches.
pub const ROOM: usize = 1_000;
