use std::fmt;

use inflight_core::Algorithm;
use tower_layer::Layer;

use super::reading::Reading;
use super::{Adaptive, AdaptiveBuilder};
use crate::Limiter;

/// Bounds how many calls run at once by a limit that an algorithm moves.
///
/// [`AdaptiveAimdLayer`](crate::AdaptiveAimdLayer) is this with the algorithm
/// that most should begin with, and says what holds for all. Here it may be
/// any of [`algorithm`](crate::algorithm), or one of your own:
///
/// ```
/// use tower::ServiceBuilder;
/// use tower::service_fn;
/// use tower_inflight::AdaptiveLayer;
/// use tower_inflight::algorithm::{Vegas, VegasOptions};
///
/// let vegas = Vegas::new(VegasOptions { max_limit: 50, ..VegasOptions::default() })?;
/// let layer = AdaptiveLayer::builder(vegas).queue_limit(20).name("search").build()?;
/// assert_eq!(
///     layer.to_string(),
///     "AdaptiveConcurrencyLimit(Vegas, initial 10, min 1, max 50, window 1s, queue 20)",
/// );
/// let service = ServiceBuilder::new()
///     .layer(layer)
///     .service(service_fn(|query: String| async move { Ok::<_, std::io::Error>(query.len()) }));
/// # let _ = service;
/// # Ok::<(), tower_inflight::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct AdaptiveLayer<C = (), P = (), W = ()> {
    limiter: Limiter,
    reading: Reading<C, P, W>,
}

impl AdaptiveLayer {
    /// Lets `algorithm` move the limit; what does not fit is rejected at once,
    /// and each error counts as an overload.
    #[expect(
        clippy::missing_panics_doc,
        reason = "without a line nothing can be wrong"
    )]
    pub fn new(algorithm: impl Algorithm + Send + 'static) -> Self {
        let built = Self::builder(algorithm).build();
        built.expect("what an algorithm says of itself is always valid")
    }

    /// Has all the settings.
    pub fn builder(algorithm: impl Algorithm + Send + 'static) -> AdaptiveBuilder {
        AdaptiveBuilder::new(algorithm)
    }
}

impl<C, P, W> AdaptiveLayer<C, P, W> {
    /// Decides by `classify`, a `Fn(&Result<Response, Error>) -> Outcome`,
    /// what the end of a call says about the load.
    pub fn with_classify<D>(self, classify: D) -> AdaptiveLayer<D, P, W> {
        AdaptiveLayer::with_parts(self.limiter, self.reading.with_classify(classify))
    }

    /// Gives each request the priority that `priority`, a
    /// `Fn(&Request) -> i32`, says.
    ///
    /// It is ignored unless the limiter's line goes by priority.
    pub fn with_priority<Q>(self, priority: Q) -> AdaptiveLayer<C, Q, W> {
        AdaptiveLayer::with_parts(self.limiter, self.reading.with_priority(priority))
    }

    /// Lets each request take as many units of the limit as `weight`, a
    /// `Fn(&Request) -> u32`, says.
    pub fn with_weight<V>(self, weight: V) -> AdaptiveLayer<C, P, V> {
        AdaptiveLayer::with_parts(self.limiter, self.reading.with_weight(weight))
    }

    /// The limiter that the services of this layer share.
    pub fn limiter(&self) -> Limiter {
        self.limiter.clone()
    }

    pub(super) fn with_parts(limiter: Limiter, reading: Reading<C, P, W>) -> Self {
        Self { limiter, reading }
    }
}

/// Shares the limiter with whoever else has a handle to it. A fixed one learns
/// nothing from being measured.
impl From<Limiter> for AdaptiveLayer {
    fn from(limiter: Limiter) -> Self {
        Self::with_parts(limiter, Reading::default())
    }
}

impl<S, C: Clone, P: Clone, W: Clone> Layer<S> for AdaptiveLayer<C, P, W> {
    type Service = Adaptive<S, C, P, W>;

    fn layer(&self, inner: S) -> Self::Service {
        Adaptive::with_parts(inner, self.limiter(), self.reading.clone())
    }
}

impl<C, P, W> fmt::Display for AdaptiveLayer<C, P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limiter.fmt(f)
    }
}

impl<C, P, W> fmt::Debug for AdaptiveLayer<C, P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdaptiveLayer")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}
