//! What the numbers of a limiter say.
//!
//! # Six signals
//!
//! | signal | says |
//! |---|---|
//! | the limit | what may run; of an adaptive one, what its algorithm thinks |
//! | in flight | how much of it is used |
//! | waiting | whether demand is above it right now |
//! | the wait until admission | what the line costs callers |
//! | rejections, by reason | how much demand is above what was decided |
//! | the time after admission | how the protected thing is doing |
//!
//! The `metrics` feature reports them. Without it, [`snapshot`] has the first
//! three, all of one moment; a hook for rejections and a clock around the
//! inner service give the rest. Never make a label of a priority or a key:
//! callers choose their values, and there is no end of them.
//!
//! # Wait and work, apart
//!
//! The time that a caller sees is the wait plus the work. One histogram of both
//! together cannot say which of them to mend:
//!
//! | wait | work | reading | do |
//! |---|---|---|---|
//! | short | short | all is well; slow callers are slow elsewhere | look outside |
//! | long | short, as always | demand is above capacity, and the limit does its job | add capacity; raise the limit only if a load test allows it |
//! | short | long | the dependency is slow, and not because of the load | look there; leave the limit |
//! | long | long, and longer as more is in flight | the limit is above what the dependency bears | lower the limit |
//!
//! # From symptom to action
//!
//! | symptom | reading | do |
//! |---|---|---|
//! | in flight at the limit, line short, work fast | full use, no harm | nothing |
//! | `limit_reached` or `queue_full` in bursts, in flight low between them | the line is shorter than a burst | a longer line, if callers can wait |
//! | the same for long | lasting overload | add capacity, degrade, or decide by priority whom it hits |
//! | `queue_timeout` rises | the line is longer than callers are patient | a shorter line, so that they are told sooner |
//! | `queue_evicted` for long | the important calls alone exceed capacity, or all call themselves important | look at who sets priorities |
//! | `too_heavy` | the weights and the limit do not belong together | lower the weight, or raise the limit |
//! | in flight stays up with no traffic | work hangs, and nothing ends it | a timeout around the work |
//! | rejections rise, calls from users do not | retries | see [`retries`](super::retries) |
//!
//! The page of the `metrics` feature has more of these, by the names of its
//! series.
//!
//! Use by itself is no alarm: a limiter that is always full may be exactly
//! right. Full *and* waits that grow is one.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use tower_inflight::{Limiter, Rejection};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//! let full = Arc::new(AtomicU64::new(0));
//! let counter = Arc::clone(&full);
//! let limiter = Limiter::builder()
//!     .max_concurrency(2)
//!     .queue_limit(1)
//!     .name("renderer")
//!     // It runs outside of every lock, and sees the numbers of that moment.
//!     .on_rejected(move |rejection: &Rejection| {
//!         assert_eq!(rejection.name(), Some("renderer"));
//!         counter.fetch_add(1, Ordering::Relaxed);
//!     })
//!     .build()?;
//!
//! let running = (limiter.try_acquire()?, limiter.try_acquire()?);
//! let waiting = limiter.acquire();
//! assert!(limiter.acquire().await.is_err());
//!
//! let now = limiter.snapshot();
//! assert_eq!((now.limit, now.in_flight, now.queued), (2, 2, 1));
//! assert_eq!(full.load(Ordering::Relaxed), 1);
//! # drop((running, waiting));
//! # Ok(())
//! # }
//! ```
//!
//! [`snapshot`]: crate::Limiter::snapshot
