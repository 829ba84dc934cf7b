//! The behaviour that the layers are to reach, case by case.
//!
//! The number above a test is that of its case; `../README.md` lists them all,
//! with where each is shown.

#![expect(
    clippy::unwrap_used,
    reason = "what helps a test may fail as a test does"
)]

mod allocations;
mod capacity;
mod hooks;
mod model;
mod priority;
mod queue;
mod stack;
mod text;
mod timeouts;
