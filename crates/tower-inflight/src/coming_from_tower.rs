//! What changes for those who come from `tower::limit`, and why.
//!
//! `ConcurrencyLimitLayer::new(10)` compiles in place of the stock one if the
//! wrapped service is `Clone`, apart from the error type. **It does not behave
//! like it.** The nearest equivalent is
//! [`ConcurrencyLimitLayer::queued(10, 1000)`][queued].
//!
//! | | stock | here |
//! |---|---|---|
//! | the limit is reached | waits, without bound | is rejected at once by `new`; waits in a bounded line with [`queued`][queued] |
//! | whose limit it is | each service's own, so each route's and often each connection's | the layer's: all its services share it, as with `GlobalConcurrencyLimitLayer` |
//! | where it waits | in `poll_ready`, before there is a request | in the response future, so priority and weight can come from the request |
//! | a `Timeout` outside | does not cover the wait | covers the wait and the work |
//! | a clone that is ready, and idle | keeps a permit from everybody | holds nothing |
//! | when the permit goes back | when the response future is *dropped* | when it is *ready*, or dropped |
//! | the wrapped service | any | has to be `Clone` |
//! | the error | the service's | [`Error`](crate::Error), which boxes into the service's, or a [`Rejection`](crate::Rejection) |
//! | a limit of 0 | hangs silently | is refused when it is built |
//!
//! # In place of what
//!
//! - `ConcurrencyLimitLayer::new(n)` → [`ConcurrencyLimitLayer::queued(n, q)`][queued].
//!   If it was to be one limit for each service, make one layer for each.
//! - `GlobalConcurrencyLimitLayer::new(n)` → the same.
//! - `GlobalConcurrencyLimitLayer::with_semaphore(s)` → [`ConcurrencyLimitLayer::from(limiter)`][from].
//! - `LoadShed` over either → [`ConcurrencyLimitLayer::new(n)`][new], alone.
//! - `Buffer` over either, for the sake of its bound → the line of [`queued`][queued].
//!
//! # Why it is so
//!
//! **An unbounded wait only moves the overload**: it turns into memory, and
//! into answers to callers who have gone. So the line is bounded, and there is
//! none unless you ask for it.
//!
//! **Admission is in `call`**, since only there is a request to read a weight
//! or a priority from, and since many servers make a fresh clone of a service
//! for each request, call it once and throw it away. `poll_ready` passes on
//! what the wrapped service says, and never rejects: an error there is final,
//! and a `Buffer` would die of it.
//!
//! **The service has to be `Clone`** since a call that waits must not keep the
//! service that it will run on, nor what that has reserved. It takes a clone
//! along and makes that ready once it has been admitted.
//!
//! # Order of layers
//!
//! The first layer of a `ServiceBuilder` is the outermost.
//!
//! | order | it means |
//! |---|---|
//! | `timeout`, then limit | the timeout bounds the wait and the work |
//! | limit, then `timeout` | the timeout bounds the work; `queue_timeout` bounds the wait |
//! | `retry`, then limit | each attempt is admitted anew, and nothing is held between attempts |
//! | limit, then `retry` | one permit is held for all attempts, and for the pauses between them |
//! | `load_shed`, then limit | sheds nothing that the limit rejects: that is rejected anyway |
//! | `buffer`, then limit | works; a rejection does not harm the buffer |
//!
//! A stock `Retry` retries what its policy says, rejections included: a policy
//! that retries every error turns one rejection into many. Look for the
//! `Rejection`, and do not.
//!
//! # The same, in code
//!
//! ```
//! use std::time::Duration;
//! use tower::{BoxError, ServiceBuilder, ServiceExt, service_fn};
//! use tower_inflight::{ConcurrencyLimitLayer, Rejection};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), BoxError> {
//! let limit = ConcurrencyLimitLayer::queued(1, 0);
//! let held = limit.limiter().try_acquire()?;
//! let service = ServiceBuilder::new()
//!     .timeout(Duration::from_secs(1))
//!     .layer(limit)
//!     .service(service_fn(|number: u64| async move { Ok::<_, BoxError>(number * 2) }));
//!
//! // Every stock layer boxes its errors; the rejection is found there as it is.
//! let error = service.clone().oneshot(21).await.unwrap_err();
//! assert!(error.downcast_ref::<Rejection>().is_some());
//!
//! drop(held);
//! assert_eq!(service.oneshot(21).await?, 42);
//! # Ok(())
//! # }
//! ```
//!
//! [new]: crate::ConcurrencyLimitLayer::new
//! [queued]: crate::ConcurrencyLimitLayer::queued
//! [from]: crate::ConcurrencyLimitLayer#impl-From<Limiter>-for-ConcurrencyLimitLayer
