//! The adaptive limit as a layer and as a handle: what it learns from, in what
//! order, and whom it tells.
//!
//! The arithmetic of the rule is tested with the engine. Numbers as `K85` or
//! `F141` name the cases that a test settles.

#![expect(
    clippy::unwrap_used,
    reason = "the helpers of these tests are tests, too"
)]

mod allocations;
mod by_hand;
mod ends;
mod failures;
mod field;
mod house;
mod line;
mod measuring;
mod monitor;
mod news;
mod options;
mod panics;
mod placement;
mod recorder;
mod reference;
mod threads;
