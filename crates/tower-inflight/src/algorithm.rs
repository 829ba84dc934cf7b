//! The rules by which a limit may move, and what a rule of your own needs.
//!
//! A rule is an [`Algorithm`]: plain data that takes one [`Sample`] for each
//! call that ends, and answers with the [`Limit`] that follows. An
//! [`AdaptiveLayer`](crate::AdaptiveLayer) drives any of them;
//! [`AdaptiveAimdLayer`](crate::AdaptiveAimdLayer) is the short way to
//! [`Aimd`].
//!
//! | rule | it learns from | take it |
//! |---|---|---|
//! | [`Aimd`], with [`AimdOptions::guarded`](crate::AimdOptions::guarded) | failures and latency, and asks whether its own cuts helped | first |
//! | [`Aimd`], plain | failures and latency | where calls are many, alike, and fail for no other reason than load |
//! | [`Vegas`] | the latency above the least that it has seen | where the latency without load does not change |
//! | [`Gradient2`] | whether the latency rises | where the work varies much, and an overload does not last |
//!
//! # When a fixed limit is better
//!
//! - The capacity is known and stays: a connection pool, a number of cores, a
//!   licence. Every rule pays for what it learns: with calls that it lets
//!   through to find out that they are too many, or rejects to find out that
//!   they were not.
//! - Calls are few. A rule that hears of ten calls a minute is told little
//!   more than chance.
//! - The limit is there to protect *you*, your memory say, and not the service
//!   behind it. What you can bear does not show in its latency.
//! - You could not say in an incident why the limit is what it is. One number
//!   in a configuration is easier to reason about at three in the morning.
//!
//! An adaptive limit is worth its trouble where the capacity moves and nobody
//! tells you: a service that scales itself, neighbours on the same machine, a
//! dependency that nobody has measured.
//!
//! # What no rule can see
//!
//! - **Whose fault a latency is.** A service that has too much to do and one
//!   that waits for a slower neighbour look alike from outside. Only a guard
//!   that watches what its own cuts do
//!   ([`relearn_after_cut`](crate::AimdOptions::relearn_after_cut)) tells them
//!   apart, and it has to cut first.
//! - **Calls that do not end.** They leave no sample. A timeout inside the
//!   limit makes failures of them.
//! - **Calls that were given up.** They leave no sample either, and the slow
//!   ones are given up first, so that those which remain look quick. See
//!   [`censored_cancellations`](crate::AimdOptions::censored_cancellations).
//! - **Calls that were rejected.** Demand above the limit does not raise it,
//!   and does not lower it.
//! - **What a call costs.** The mean of cheap and of heavy calls moves with
//!   their mix. Give those that differ limits of their own.
//! - **Other limiters** before the same service: in other processes, or in
//!   other layers of this one. Each sees the latency that all of them make,
//!   and cuts or raises only its own part. Nobody's own cut helps then, from
//!   which `relearn_after_cut` concludes that the latency is nobody's fault, so
//!   that together they talk each other up: set it to 0.3, or leave it off,
//!   wherever a bottleneck is shared.
//!
//! # A rule of your own
//!
//! It is called under the lock that orders the samples, so let it be short,
//! and do not use the limiter from inside it: that would wait for itself. If it
//! panics, the panic is counted, and the limit stays as it was.
//!
//! ```
//! use tower::{Service, ServiceBuilder, service_fn};
//! use tower_inflight::algorithm::{Algorithm, Description, Limit, Sample};
//! use tower_inflight::{AdaptiveLayer, Outcome};
//!
//! /// Halves after a failure, and forgets nothing.
//! struct Timid(Limit);
//!
//! impl Algorithm for Timid {
//!     fn limit(&self) -> Limit {
//!         self.0
//!     }
//!
//!     fn observe(&mut self, sample: &Sample) -> Limit {
//!         if sample.outcome == Outcome::Overload {
//!             self.0 = Limit::new(self.0.get() / 2).unwrap_or(Limit::ONE);
//!         }
//!         self.0
//!     }
//!
//!     fn describe(&self) -> Description {
//!         Description::new("timid")
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let layer = AdaptiveLayer::new(Timid(Limit::new(8).unwrap()));
//! let limiter = layer.limiter();
//! let mut service = ServiceBuilder::new()
//!     .layer(layer)
//!     .service(service_fn(|(): ()| async { Err::<(), _>("too much") }));
//!
//! service.call(()).await.unwrap_err();
//! assert_eq!(limiter.snapshot().limit, 4);
//! # }
//! ```

pub use inflight_core::{
    Aimd, Algorithm, Description, Evaluation, Gradient2, Gradient2Options, Growth, Limit, Sample,
    Vegas, VegasOptions, Verdict, WindowSummary,
};
