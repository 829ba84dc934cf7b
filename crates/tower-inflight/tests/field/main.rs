//! Failures that others have met, and that must not happen here.
//!
//! The number above a test is that of its case; `../README.md` lists them all,
//! with where each is shown.

#![expect(
    clippy::unwrap_used,
    reason = "what helps a test may fail as a test does"
)]

mod budget;
mod callbacks;
mod contract;
mod counting;
mod nesting;
mod order;
mod peers;
mod permits;
mod resize;
mod runtimes;
mod soak;
mod time;
mod wakeups;
mod weights;
mod workshop;
