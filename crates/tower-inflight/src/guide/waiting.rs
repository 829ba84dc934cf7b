//! How many may wait, and how long: a line is not free.
//!
//! # What a line costs
//!
//! Each call that waits keeps its request, its buffers, its connection and its
//! caller. And it waits: whoever joins at place *k* of a full limiter, with *N*
//! permits and *S* seconds of work each, is admitted after about
//!
//! > *k* × *S* / *N*
//!
//! seconds. Ten permits of 100 ms and a thousand places: the last waits ten
//! seconds, and nobody who called is still there.
//!
//! The other way round, if callers can spare *T* seconds for waiting, then
//!
//! > `queue_limit` = *N* × *T* / *S*
//!
//! and not one more: 25 for *T* = 250 ms above.
//!
//! # What a line is good for
//!
//! For bursts. Calls that arrive at random come in clumps, also when there is
//! capacity for all of them; turning the clumps away would waste it. A line
//! evens them out, and is mostly empty.
//!
//! It does nothing against overload. If more come than can be served, for
//! longer than it takes to fill the line, then it is full, and stays full:
//! exactly as many are turned away as without it, and the others have waited.
//! How close to that one can run, the simplest model of a queue says: with one
//! server and random arrivals, and *ρ* the share of its time that it is busy,
//! the wait is
//!
//! > *S* × *ρ* / (1 − *ρ*)
//!
//! on average: *S* when it is half busy, 9 *S* at 90 %, 99 *S* at 99 %. (L.
//! Kleinrock, "Queueing Systems", volume 1, Wiley 1975, for the queue M/M/1.)
//! With more permits it comes later, and more suddenly.
//!
//! # What to do with the rest
//!
//! | policy | fits | here |
//! |---|---|---|
//! | reject at once | callers have somewhere else to go, or come back by a sane policy | `queue_limit` 0, the default |
//! | a short line | bursts are short, and callers wait for longer than a line takes | `queue_limit` |
//! | wait with a deadline | callers have little time, or work varies much | `queue_timeout` as well |
//! | the important first | some calls matter more | [`PriorityQueueLayer`](crate::PriorityQueueLayer) |
//! | something cheaper | an old or a smaller answer is of use | [`fallback`](crate::ConcurrencyLimitLayer::fallback) |
//!
//! # The longest wait
//!
//! The queue timeout and the work, at its slow end, have to fit into the time
//! that callers wait. If they give up after one second and the work takes up to
//! 400 ms, a wait of more than 600 ms is for nothing. It also keeps a stalled
//! dependency from being found out only by the length of the line: with all
//! permits stuck, those who wait are told after the queue timeout.
//!
//! ```
//! use std::time::Duration;
//! use tokio::time::sleep;
//! use tower_inflight::{Limiter, Reason};
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), tower_inflight::ConfigError> {
//! let limiter = Limiter::builder()
//!     .max_concurrency(2)
//!     .queue_limit(4)
//!     .queue_timeout(Duration::from_millis(150))
//!     .build()?;
//! let calls: Vec<_> = (0..7)
//!     .map(|_| limiter.run(async { sleep(Duration::from_millis(100)).await }))
//!     .map(tokio::spawn)
//!     .collect();
//! let mut outcomes = Vec::new();
//! for call in calls {
//!     let outcome = call.await.expect("no call panics");
//!     outcomes.push(outcome.map_err(|rejection| (rejection.reason(), rejection.waited())));
//! }
//!
//! // Two run at once, two after 100 ms. The next two would be admitted after
//! // 200 ms, which is too late. For the seventh there is no place.
//! let late = Err((Reason::QueueTimeout, Duration::from_millis(150)));
//! let full = Err((Reason::QueueFull, Duration::ZERO));
//! assert_eq!(outcomes, [Ok(()), Ok(()), Ok(()), Ok(()), late, late, full]);
//! # Ok(())
//! # }
//! ```
