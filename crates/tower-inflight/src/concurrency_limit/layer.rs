use std::fmt;

use tower_layer::Layer;

use super::{ConcurrencyLimit, ConcurrencyLimitBuilder};
use crate::Limiter;
use crate::builder::call_setters;
use crate::fallback::fallback_setter;
use crate::hold::UntilResponse;

/// Bounds how many calls run at once; the rest wait in a bounded line, or are
/// rejected at once.
///
/// The limit belongs to the **layer**: every service that it makes, on every
/// route and for every connection, shares it. A layer that replaces
/// `tower::limit::ConcurrencyLimitLayer` behaves differently in several ways;
/// see [`coming_from_tower`](crate::coming_from_tower).
///
/// The service is cloned whenever a call cannot run it right away, so it has
/// to be `Clone`.
///
/// ```
/// use std::time::Duration;
/// use tower::{ServiceBuilder, ServiceExt, service_fn};
/// use tower_inflight::{ConcurrencyLimitLayer, Reason};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let layer = ConcurrencyLimitLayer::builder()
///     .max_concurrency(10)
///     .queue_limit(20)
///     .queue_timeout(Duration::from_millis(250))
///     .name("search")
///     .build()?;
/// let limiter = layer.limiter();
/// let service = ServiceBuilder::new()
///     .layer(layer)
///     .service(service_fn(|query: String| async move { Ok::<_, std::io::Error>(query.len()) }));
///
/// assert_eq!(service.clone().oneshot("tower".into()).await?, 5);
///
/// limiter.close();
/// let error = service.oneshot("tower".into()).await.unwrap_err();
/// assert_eq!(error.rejection().unwrap().reason(), Reason::Closed);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ConcurrencyLimitLayer<T = (), H = UntilResponse> {
    limiter: Limiter,
    ticketing: T,
    hold: H,
}

impl ConcurrencyLimitLayer {
    /// Lets `max_concurrency` calls run at once, and rejects the rest.
    ///
    /// # Panics
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1.
    #[track_caller]
    pub fn new(max_concurrency: usize) -> Self {
        Self::from(Limiter::new(max_concurrency))
    }

    /// Lets `max_concurrency` calls run at once and `queue_limit` wait, as long
    /// as it takes, and rejects the rest.
    ///
    /// # Panics
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1.
    #[track_caller]
    pub fn queued(max_concurrency: usize, queue_limit: usize) -> Self {
        Self::from(Limiter::queued(max_concurrency, queue_limit))
    }

    /// Has all the settings.
    pub fn builder() -> ConcurrencyLimitBuilder {
        ConcurrencyLimitBuilder::new()
    }
}

impl<T, H> ConcurrencyLimitLayer<T, H> {
    call_setters!(ConcurrencyLimitLayer<>: with_weight, with_max_wait, with_exempt, with_hold);

    fallback_setter!();

    /// The limiter that the services of this layer share.
    pub fn limiter(&self) -> Limiter {
        self.limiter.clone()
    }

    pub(super) fn with_parts(limiter: Limiter, ticketing: T, hold: H) -> Self {
        Self {
            limiter,
            ticketing,
            hold,
        }
    }

    fn asking<U>(self, change: impl FnOnce(T) -> U) -> ConcurrencyLimitLayer<U, H> {
        ConcurrencyLimitLayer::with_parts(self.limiter, change(self.ticketing), self.hold)
    }

    fn holding<N>(self, hold: N) -> ConcurrencyLimitLayer<T, N> {
        ConcurrencyLimitLayer::with_parts(self.limiter, self.ticketing, hold)
    }
}

/// Shares the limiter with whoever else has a handle to it.
impl From<Limiter> for ConcurrencyLimitLayer {
    fn from(limiter: Limiter) -> Self {
        Self::with_parts(limiter, (), UntilResponse)
    }
}

impl<S, T: Clone, H: Clone> Layer<S> for ConcurrencyLimitLayer<T, H> {
    type Service = ConcurrencyLimit<S, T, H>;

    fn layer(&self, inner: S) -> Self::Service {
        let (ticketing, hold) = (self.ticketing.clone(), self.hold.clone());
        ConcurrencyLimit::with_parts(inner, self.limiter(), ticketing, hold)
    }
}

impl<T, H> fmt::Display for ConcurrencyLimitLayer<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limiter.fmt(f)
    }
}

impl<T, H> fmt::Debug for ConcurrencyLimitLayer<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConcurrencyLimitLayer")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}
