//! What the limit should be: rules that learn it from the calls that end.
//!
//! A rule is an [`Algorithm`]: plain data that takes one [`Sample`] for each
//! call that ends and answers with the [`Limit`](crate::Limit) that follows.
//! It has no clock, lock or task; the same samples in the same order give the
//! same limits.
//!
//! | algorithm | learns from | grows | fails by design |
//! |---|---|---|---|
//! | [`Aimd`] | failures, and a mean latency above a moving baseline | 1 a window | its baseline follows a slow ramp; blames itself for a dependency that became slower |
//! | [`Aimd`] with [`AimdOptions::guarded`] | the same, but asks whether its own cuts helped | √limit a window while quiet | several limiters in front of one bottleneck can talk each other up |
//! | [`Vegas`] | the part of the latency above the least one seen | up to 6 × log₁₀ limit a window | takes a slower dependency for its own queue |
//! | [`Gradient2`] | the ratio of long and short mean latency | about 0.8 a window | drifts upwards in an overload that lasts; does not see failures |
//!
//! # When a fixed limit is better
//!
//! Start with a fixed one. Its largest pressure is one number, an incident is
//! easier to reason about, and it does not depend on tuning. An algorithm is
//! worth its complexity where the capacity behind it *moves*: an autoscaled
//! backend, a neighbour that shares the machine, a dependency nobody measured.
//! Where the capacity is known (a connection pool, a number of cores, a
//! licence) a fixed limit keeps more of it, since every algorithm here pays
//! for its knowledge with calls.
//!
//! # What no rule here can see
//!
//! - *Whose fault a latency is.* A server that queues and a server that waits
//!   for a slower neighbour look alike from outside. Only what happens after a
//!   cut tells them apart.
//! - *Calls that do not end.* They leave no sample. Bound them by a timeout
//!   inside the limiter, which makes them failures.
//! - *Calls that were refused.* Demand above the limit is no reason to raise it.
//! - *What a call costs.* A mean over cheap and heavy calls moves with the mix.
//! - *Other limiters* in front of the same bottleneck.

mod aimd;
mod bounds;
mod contract;
mod description;
mod evaluation;
mod gradient2;
mod outcome;
mod sample;
mod sampler;
mod vegas;
mod verdict;
mod window;

pub use self::aimd::{Aimd, AimdOptions, Growth};
pub use self::contract::Algorithm;
pub use self::description::Description;
pub use self::evaluation::Evaluation;
pub use self::gradient2::{Gradient2, Gradient2Options};
pub use self::outcome::Outcome;
pub use self::sample::Sample;
pub use self::vegas::{Vegas, VegasOptions};
pub use self::verdict::Verdict;
pub use self::window::WindowSummary;
