//! Tower layers that bound the work in flight.
//!
//! A call is admitted, waits in a bounded line for a bounded time, or is
//! rejected at once with a reason. Nothing else can happen to it, and no
//! permit is ever lost.
//!
//! ```
//! use std::time::Duration;
//! use tower::{Service, ServiceBuilder, service_fn};
//! use tower_inflight::{ConcurrencyLimitLayer, Reason};
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//! // Two run at a time; one waits, for up to 250 ms; the rest is turned away.
//! let layer = ConcurrencyLimitLayer::builder()
//!     .max_concurrency(2)
//!     .queue_limit(1)
//!     .queue_timeout(Duration::from_millis(250))
//!     .name("search")
//!     .build()?;
//! let mut search = ServiceBuilder::new().layer(layer).service(service_fn(|millis| async move {
//!     tokio::time::sleep(Duration::from_millis(millis)).await;
//!     Ok::<_, std::io::Error>(millis)
//! }));
//!
//! let (one, two) = (search.call(100), search.call(200));
//! let (three, four) = (search.call(50), search.call(10));
//! let (one, two, three, four) = tokio::join!(one, two, three, four);
//!
//! assert_eq!((one?, two?, three?), (100, 200, 50));
//! let error = four.unwrap_err();
//! assert_eq!(error.rejection().unwrap().reason(), Reason::QueueFull);
//! assert_eq!(
//!     error.to_string(),
//!     "concurrency limit `search` rejected the call: queue full (2 of 2 running, 1 of 1 queued)",
//! );
//! # Ok(())
//! # }
//! ```
//!
//! # Which one
//!
//! | you have | take |
//! |---|---|
//! | a service, and callers who are all alike | [`ConcurrencyLimitLayer`] |
//! | a service, and callers some of whom must go first | [`PriorityQueueLayer`] |
//! | a service whose capacity moves | [`AdaptiveAimdLayer`] |
//! | a service, and tenants who must not crowd each other out | [`KeyedLimitLayer`] |
//! | a scarce step *inside* a handler, a blocking thread, no Tower at all | [`Limiter`] |
//! | `tower::limit` or `LoadShed` now | read [`coming_from_tower`] first |
//!
//! Where it goes, how much, and what else it takes, the [`guide`] says.
//!
//! Do not take it for a limit on *rates*, nor in place of a lock: it says how
//! much may overlap, not how often or in what order. A limit is that of one
//! process.
//!
//! # What holds
//!
//! - **Bounded.** No more than the limit runs and no more than the queue limit
//!   waits, each over all clones, routes and connections of one layer.
//! - **Nothing is lost.** Completion, error, panic, cancellation, eviction and
//!   timeout each give a permit or a place back once, and hand it to whoever
//!   is next in the same step.
//! - **In order.** The order of the *calls* counts, or priority and then that.
//!   Nobody passes, not even who tries without waiting.
//! - **At once.** A rejection is decided in `call`. It allocates nothing, takes
//!   no lock where there is no line, and says why.
//! - **Nothing in hand while waiting.** Who waits holds no ready service, and
//!   who is ready holds no permit.
//! - **Cheap.** A call that is admitted at once takes no lock, allocates
//!   nothing and reads no clock; under an adaptive limit it reads the clock
//!   twice and takes one short lock when it ends. There is no task in the
//!   background.
//! - `unsafe` is forbidden.
//!
//! # Features
//!
//! None is on by default, and none changes what the others do.
//!
//! - `axum`: a rejection is a response, so that `limiter.acquire().await?` works
//!   in a handler; on axum-core alone.
//! - `http`: the module `http`. A layer that turns rejections into responses,
//!   permits that live as long as the body of a response, a handle for work
//!   that outlives its request, and what headers say of priority, weight and
//!   deadline.
//! - `metrics`: the module `metrics`. Counters, gauges and histograms for the
//!   recorder of the `metrics` facade, and how to read them.
//! - `serde`: the module `configuration`. Options from a file, and a fixed limit
//!   that follows it.
//! - `tonic`: a rejection is a gRPC status, and is answered in band.
//! - `tracing`: events. Debug: each rejection, each change of an adaptive limit.
//!   Info: a limit that was set, a limiter that was closed. Warn: that calls are
//!   being rejected, at most once in ten seconds, and how many. Error: a panic of
//!   a hook. They name the limiter, never a priority or a key.
//!
//! # Rust version
//!
//! 1.85, checked by lint.

mod accessors;
mod adaptive;
mod admission;
pub mod algorithm;
pub mod builder;
mod clock;
pub mod coming_from_tower;
mod concurrency_limit;
#[cfg(feature = "serde")]
pub mod configuration;
mod desk;
mod door;
mod duration;
mod error;
mod events;
mod fallback;
mod fixed;
pub mod future;
pub mod guide;
mod handle;
mod hold;
mod hooks;
#[cfg(feature = "http")]
pub mod http;
mod keyed;
mod lease;
mod limit;
mod limits;
#[cfg(feature = "metrics")]
pub mod metrics;
mod options;
mod overflow;
mod priority_queue;
mod rejection;
mod reports;
mod sign;
pub mod ticketing;
mod unmeasured;
mod waiting;

pub use inflight_core::{
    AimdOptions, ConfigError, Fairness, KeyLoad, KeyOverflow, KeyPlan, KeyedSnapshot, Outcome,
    Reason, Snapshot, Ticket,
};

pub use self::adaptive::{Adaptation, Adaptive, AdaptiveAimdLayer, AdaptiveLayer, LimitChange};
pub use self::concurrency_limit::{ConcurrencyLimit, ConcurrencyLimitLayer};
pub use self::error::Error;
pub use self::fallback::{Fallback, FallbackLayer, Rejected};
pub use self::hold::UntilResponse;
pub use self::keyed::{
    AdaptiveTotal, FixedTotal, KeyedLimit, KeyedLimitLayer, KeyedLimitOptions, KeyedLimiter,
    KeyedPermit,
};
pub use self::limit::{Limiter, MeasuredPermit, Permit};
pub use self::options::{
    AdaptiveAimdOptions, AdaptiveLimitOptions, ConcurrencyLimitOptions, LimiterOptions,
};
pub use self::priority_queue::{PriorityQueue, PriorityQueueLayer};
pub use self::rejection::Rejection;
