//! Callers, services and wakers that do their worst.
//!
//! Whatever they do, the limiter is whole afterwards: nothing runs, nobody
//! waits, and all of the limit can be had.

#![expect(
    clippy::unwrap_used,
    reason = "what helps a test may fail as a test does"
)]

mod cancellation;
mod destructors;
mod fallbacks;
mod inside;
mod keyed;
mod load;
mod moves;
mod nested;
mod panics;
mod requests;
mod runtimes;
mod stacks;
mod threads;
mod wakers;
mod wreck;
