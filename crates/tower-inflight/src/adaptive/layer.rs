use std::fmt;

use inflight_core::Algorithm;
use tower_layer::Layer;

use super::calls::Calls;
use super::{Adaptive, AdaptiveBuilder};
use crate::Limiter;
use crate::builder::call_setters;
use crate::fallback::fallback_setter;
use crate::hold::UntilResponse;
use crate::ticketing::Prioritized;

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
pub struct AdaptiveLayer<C = (), T = (), H = UntilResponse> {
    limiter: Limiter,
    calls: Calls<C, T, H>,
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

impl<C, T, H> AdaptiveLayer<C, T, H> {
    /// Decides by `classify`, a `Fn(&Result<Response, Error>) -> Outcome`,
    /// what the end of a call says about the load.
    pub fn with_classify<D>(self, classify: D) -> AdaptiveLayer<D, T, H> {
        AdaptiveLayer::with_parts(self.limiter, self.calls.classifying(classify))
    }

    /// Gives each request the priority that `priority`, a
    /// `Fn(&Request) -> i32`, says.
    ///
    /// It is ignored unless the limiter's line goes by priority.
    pub fn with_priority<F>(self, priority: F) -> AdaptiveLayer<C, Prioritized<F, T>, H> {
        self.asking(|rest| Prioritized::new(priority, rest))
    }

    call_setters!(AdaptiveLayer<C>: with_weight, with_max_wait, with_exempt, with_hold);

    fallback_setter!();

    /// The limiter that the services of this layer share.
    pub fn limiter(&self) -> Limiter {
        self.limiter.clone()
    }

    pub(super) fn with_parts(limiter: Limiter, calls: Calls<C, T, H>) -> Self {
        Self { limiter, calls }
    }

    fn asking<U>(self, change: impl FnOnce(T) -> U) -> AdaptiveLayer<C, U, H> {
        AdaptiveLayer::with_parts(self.limiter, self.calls.asking(change))
    }

    fn holding<N>(self, hold: N) -> AdaptiveLayer<C, T, N> {
        AdaptiveLayer::with_parts(self.limiter, self.calls.holding(hold))
    }
}

/// Shares the limiter with whoever else has a handle to it. A fixed one learns
/// nothing from being measured.
impl From<Limiter> for AdaptiveLayer {
    fn from(limiter: Limiter) -> Self {
        Self::with_parts(limiter, Calls::default())
    }
}

impl<S, C: Clone, T: Clone, H: Clone> Layer<S> for AdaptiveLayer<C, T, H> {
    type Service = Adaptive<S, C, T, H>;

    fn layer(&self, inner: S) -> Self::Service {
        Adaptive::with_parts(inner, self.limiter(), self.calls.clone())
    }
}

impl<C, T, H> fmt::Display for AdaptiveLayer<C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limiter.fmt(f)
    }
}

impl<C, T, H> fmt::Debug for AdaptiveLayer<C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdaptiveLayer")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}
