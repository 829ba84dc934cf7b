//! How much may run at once.
//!
//! Not "as many as come": a peak of 500 calls a second says nothing about a
//! limit before it is known how long a call takes.
//!
//! # Little's law
//!
//! Over a time in which as many calls end as begin,
//!
//! > *L* = *λ* × *W*
//!
//! where *L* is how many are in flight on average, *λ* how many are admitted a
//! second, and *W* how long one takes, in seconds, from its admission to its
//! end. It holds whatever the distribution of either, and in whatever order they
//! are served. (J. D. C. Little, "A Proof for the Queuing Formula: L = λW",
//! Operations Research 9, 1961, pages 383 to 387.)
//!
//! | *λ*, calls a second | *W* | *L* in flight |
//! |---|---|---|
//! | 100 | 20 ms | 2 |
//! | 500 | 40 ms | 20 |
//! | 100 | 2 s | 200 |
//!
//! The first and the last line are the same traffic, before and after a
//! dependency became slow. Turned around, it says what a limit lets through:
//! with *N* permits, no more than *N* / *W* calls a second.
//!
//! ```
//! use std::time::Duration;
//! use tokio::task::JoinSet;
//! use tokio::time::{Instant, sleep};
//! use tower_inflight::Limiter;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let limiter = Limiter::queued(20, 1_000);
//! let mut calls = JoinSet::new();
//! let start = Instant::now();
//! for _ in 0..1_000 {
//!     calls.spawn(limiter.run(async { sleep(Duration::from_millis(40)).await }));
//! }
//! assert!(calls.join_all().await.iter().all(Result::is_ok));
//!
//! // N / W = 20 / 0.04 s = 500 a second.
//! assert_eq!(start.elapsed(), Duration::from_secs(2));
//! # }
//! ```
//!
//! So *λ* × *W* at the load that has to be served, with *W* as it is when all is
//! well, is the least that a limit may be. What it may be at most, the resource
//! says.
//!
//! # From a pool
//!
//! A pool of *P* connections is used by *P* calls at a time. If a call holds its
//! connection for *h* seconds of the *W* for which it holds the permit, then
//! *N* = *P* × *W* / *h* keeps the pool busy and nobody waiting in it for long.
//! With the permit around the query alone that is *P*; one or two more cover
//! the moments between a call's end and the next one's beginning. Far more, and
//! the line stands in the pool, where it has no reasons and no priorities; far
//! less, and part of the pool is never used.
//!
//! # From processors
//!
//! Work that only computes: as many as there are processors to compute on, and
//! one or two more. More of it does not end sooner; all of it ends later.
//!
//! # By a load test
//!
//! Run the real work at 1, 2, 4, 8, ... permits, always with some callers
//! waiting, and write down throughput and latency of the work after its
//! admission. At first throughput grows and latency stays; then latency grows
//! and throughput stays; sooner or later throughput falls. The limit belongs
//! where the first turns into the second. Two ways to say where that is:
//!
//! - *Power*, the throughput divided by the latency, is greatest there. (L.
//!   Kleinrock, "Power and Deterministic Rules of Thumb for Probabilistic
//!   Problems in Computer Communications", ICC 1979.)
//! - With the *universal scalability law* fitted to the throughputs,
//!   *X*(*N*) = *γN* / (1 + *α*(*N* − 1) + *βN*(*N* − 1)), it is greatest at
//!   *N* = √((1 − *α*) / *β*). *γ* is the throughput of one, *α* the share that
//!   cannot overlap, *β* what any two of them cost each other. (N. J. Gunther,
//!   "Guerrilla Capacity Planning", Springer 2007.) It is better to stay below.
//!
//! Test it also with the dependency slowed down: the limit should hold then.
//!
//! # Fixed or adaptive
//!
//! A fixed limit can be stated, looked up and reasoned about at night. Start
//! with one. Take [`AdaptiveAimdLayer`](crate::AdaptiveAimdLayer) where capacity
//! really moves (neighbours on the machine, a cluster that grows, a dependency
//! with moods), and give it a `max_limit` that could be borne as a fixed one.
//!
//! # If calls are not alike
//!
//! One that takes sixteen times the memory should take sixteen permits: see
//! [`with_weight`](crate::ConcurrencyLimitLayer::with_weight). An estimate that
//! only tells small from large is enough. Where nothing is known beforehand, give
//! each class of work a limiter of its own.
