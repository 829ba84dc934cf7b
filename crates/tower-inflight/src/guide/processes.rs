//! What the limit of many processes is together.
//!
//! A limiter knows its own process. Ten instances with a limit of 50 put up to
//! 500 calls on one database; whether that is right depends on the database.
//! State what a limit is for, in its name and in its configuration: a process, a
//! host, or a resource that all share.
//!
//! # Shares of a total
//!
//! If the resource bears *C* calls and up to *n* instances run at a time, each
//! may have
//!
//! > *N* = *C* / *n*, rounded down
//!
//! with two corrections:
//!
//! - *n* is the most that ever run together. While a new version is rolled out,
//!   that is the instances **and** the surge.
//! - Load is never spread evenly. An instance that gets half as much again as
//!   the others rejects while they have room. A line evens out the moments; for
//!   lasting skew, mend the balancer.
//!
//! When instances come and go, a fixed limit can follow:
//! [`set_limit`](crate::Limiter::set_limit) takes effect at once and takes
//! nothing from those who run.
//!
//! ```
//! use tower_inflight::{ConfigError, Limiter};
//!
//! /// What one of so many instances may use of it; never nothing.
//! fn share(capacity: usize, instances: usize) -> usize {
//!     (capacity / instances).max(1)
//! }
//!
//! # fn main() -> Result<(), ConfigError> {
//! // 100 connections; eight instances, and two more during a rollout.
//! let database = Limiter::queued(share(100, 8 + 2), 20);
//! assert_eq!(database.snapshot().limit, 10);
//!
//! // Scaled to 16, and still two more.
//! database.set_limit(share(100, 16 + 2))?;
//! assert_eq!(database.snapshot().limit, 5);
//! # Ok(())
//! # }
//! ```
//!
//! # Without counting instances
//!
//! | way | what it costs |
//! |---|---|
//! | a limit in the one place that all pass (a gateway, a queue's workers) | that place has to be there, and to know what is scarce behind it |
//! | a pool or a limit at the resource itself | the line forms there; keep a limit in front of it, for the reasons and the priorities |
//! | an adaptive limit in each instance | each finds its share by the latency that all of them cause; they settle, but not evenly |
//! | a semaphore over the network | each call asks another service first, which can be slow, or gone |
//!
//! The last is rarely worth it. If instances share a bottleneck and their limits
//! are adaptive, leave [`relearn_after_cut`] off, or at 0.3: an instance that
//! takes the others' load for a change of the world stops yielding to it.
//!
//! [`relearn_after_cut`]: crate::AimdOptions::relearn_after_cut
