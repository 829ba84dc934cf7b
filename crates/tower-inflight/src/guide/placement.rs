//! Around what the limit goes, and in which order with timeouts and retries.
//!
//! # Around what is scarce
//!
//! A permit stands for a share of one resource: a connection, a core, some
//! memory, a remote service's patience. It should be held while that is used,
//! and not longer.
//!
//! - **Too wide** wastes it. A page that fetches for 90 ms and renders for 10,
//!   with two renderers and a permit around the whole page: 20 pages a second,
//!   the renderers idle nine tenths of the time. Around the rendering alone:
//!   138 a second (`cargo run -p inflight-examples --example narrow_scope`).
//! - **Too deep** misses some. If two adapters reach the same database and one
//!   has a limit, the database has none. Give both the same
//!   [`Limiter`](crate::Limiter): a handle, whose clones and layers share one
//!   limit.
//!
//! So a layer fits where a whole service is the scarce thing, and
//! [`Limiter::run`](crate::Limiter::run) where it is a step inside a handler.
//! What is cheap and may turn a call away (authentication, validation, a cache)
//! comes before the permit; so does every other wait.
//!
//! Work that holds a permit must not ask the same limiter for another: with all
//! permits held by such work, each waits for the others. A queue timeout turns
//! that from a hang into an error, no more.
//!
//! # In which order
//!
//! The first layer of a `ServiceBuilder` is the outermost.
//!
//! | outermost first | what it means |
//! |---|---|
//! | `timeout`, limit | the timeout bounds the wait and the work: usually right |
//! | limit, `timeout` | the timeout bounds the work alone; `queue_timeout` bounds the wait |
//! | `retry`, limit | each attempt asks anew, and nothing is held in the pauses: usually right |
//! | limit, `retry` | one permit for all attempts and pauses; an adaptive limit takes them for one slow call |
//! | trace, limit | the trace shows the wait, and the rejections |
//! | limit, trace | it shows the work alone |
//! | authentication, limit | who may not call takes no place |
//! | respond, limit | a rejection leaves as a response (`RespondLayer`, feature `http`) |
//! | limit, decompress or read the body | a call that waits has only its head in memory |
//!
//! A good stack for a server is: trace, respond, authentication, timeout, limit,
//! handler. For a client: timeout, retry, limit, transport.
//!
//! Health checks belong outside the limit, or are exempt from it
//! ([`with_exempt`](crate::ConcurrencyLimitLayer::with_exempt)). A probe that
//! waits its turn, or is rejected, gets a process killed that is only busy.
//!
//! # One budget
//!
//! A caller that waits one second, 800 ms of them in the line, has 200 ms of
//! patience left for the work. With the timeout outside this comes by itself.
//! A fresh timeout after the admission gives the work a second that nobody
//! waits for, and the call takes up to 1.8 s.
//!
//! Where the caller says how long it waits, in a header or by `grpc-timeout`,
//! [`with_max_wait`](crate::ConcurrencyLimitLayer::with_max_wait) takes that for
//! the longest wait, and nobody is admitted whose caller has given up.
//!
//! ```
//! use std::time::Duration;
//! use tokio::time::{Instant, sleep};
//! use tower::timeout::error::Elapsed;
//! use tower::{BoxError, ServiceBuilder, ServiceExt, service_fn};
//! use tower_inflight::ConcurrencyLimitLayer;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), BoxError> {
//! let limit = ConcurrencyLimitLayer::queued(1, 10);
//! let limiter = limit.limiter();
//! let service = ServiceBuilder::new()
//!     .timeout(Duration::from_secs(1))
//!     .layer(limit)
//!     .service(service_fn(|()| async {
//!         sleep(Duration::from_millis(300)).await;
//!         Ok::<_, BoxError>(())
//!     }));
//!
//! let permit = limiter.try_acquire()?;
//! tokio::spawn(async move {
//!     sleep(Duration::from_millis(800)).await;
//!     drop(permit);
//! });
//!
//! // 800 ms of waiting and 300 ms of work are more than a second.
//! let start = Instant::now();
//! let error = service.oneshot(()).await.unwrap_err();
//! assert!(error.is::<Elapsed>());
//! assert_eq!(start.elapsed(), Duration::from_secs(1));
//! assert_eq!(limiter.snapshot().in_flight, 0); // and the permit is free
//! # Ok(())
//! # }
//! ```
//!
//! All four orders of timeout, retry and limit, with their times:
//! `cargo run -p inflight-examples --example placement`.
