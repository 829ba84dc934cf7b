use std::fmt;

use tower_layer::Layer;

use super::{ConcurrencyLimit, ConcurrencyLimitBuilder};
use crate::Limiter;

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
pub struct ConcurrencyLimitLayer<W = ()> {
    limiter: Limiter,
    weight: W,
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

impl<W> ConcurrencyLimitLayer<W> {
    /// Lets each request take as many units of the limit as `weight`, a
    /// `Fn(&Request) -> u32`, says.
    ///
    /// 0 counts as 1. A request that is heavier than the limit is rejected.
    /// Name the request type in the closure; without it the compiler cannot
    /// tell for which requests it is meant:
    ///
    /// ```
    /// use tower_inflight::ConcurrencyLimitLayer;
    ///
    /// struct Export {
    ///     rows: u32,
    /// }
    ///
    /// let layer = ConcurrencyLimitLayer::new(16).with_weight(|export: &Export| export.rows / 1_000);
    /// # let _ = layer;
    /// # let _ = Export { rows: 1 }.rows;
    /// ```
    pub fn with_weight<V>(self, weight: V) -> ConcurrencyLimitLayer<V> {
        ConcurrencyLimitLayer {
            limiter: self.limiter,
            weight,
        }
    }

    /// The limiter that the services of this layer share.
    pub fn limiter(&self) -> Limiter {
        self.limiter.clone()
    }
}

/// Shares the limiter with whoever else has a handle to it.
impl From<Limiter> for ConcurrencyLimitLayer {
    fn from(limiter: Limiter) -> Self {
        Self {
            limiter,
            weight: (),
        }
    }
}

impl<S, W: Clone> Layer<S> for ConcurrencyLimitLayer<W> {
    type Service = ConcurrencyLimit<S, W>;

    fn layer(&self, inner: S) -> Self::Service {
        ConcurrencyLimit::with_parts(inner, self.limiter(), self.weight.clone())
    }
}

impl<W> fmt::Display for ConcurrencyLimitLayer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limiter.fmt(f)
    }
}

impl<W> fmt::Debug for ConcurrencyLimitLayer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConcurrencyLimitLayer")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}
