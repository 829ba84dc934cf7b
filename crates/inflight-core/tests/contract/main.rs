//! What the engine promises, one sentence a test.
//!
//! `K` and `F` number the behaviour and the failures that a test is about.

#![cfg(not(inflight_loom))]

mod allocations;
mod busy_clock;
mod cancellation;
mod clock;
mod close;
mod crowd;
mod deadlines;
mod drained;
mod eviction;
mod exempt;
mod extremes;
mod facts;
mod gates;
mod hostile_wakers;
mod lateness;
mod line;
mod order;
mod promises;
mod resize;
mod room;
mod unwinding;
mod waiters;
mod wakers;
mod weights;
