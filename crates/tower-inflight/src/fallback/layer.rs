use std::fmt;

use tower_layer::Layer;

use super::Fallback;

/// A limiting layer, with a fallback for the calls that it turns away: those
/// that find no room, wait too long, are evicted, or come too late.
///
/// Each layer of this crate makes one of itself with `.fallback(service)`. The
/// fallback is a service of [`Rejected`](crate::Rejected): it gets the request
/// whole, with the rejection. The request need not be `Clone`; the fallback has
/// to be, and a call that waits takes one along. It answers in the service's own
/// terms, so that what is behind sees a response. An error of it is an error of
/// the service.
///
/// It runs in the call's own future, which drops it when it is dropped, without
/// a permit and without a bound: it should be cheap, from a cache for instance.
/// An error of the service is none of its business, nor is a rejection of a
/// limit further in, which is such an error.
///
/// The rejection is counted, and hooks are told of it, as without a fallback.
///
/// Take the limiter's handle from the limiting layer before this one is made of
/// it, or later through [`get_ref`](Self::get_ref). The error is that of the limit,
/// so an axum server needs its `RespondLayer` around both.
///
/// ```
/// use tower::{Service, ServiceBuilder, service_fn};
/// use tower_inflight::{ConcurrencyLimitLayer, Rejected};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let layer = ConcurrencyLimitLayer::new(1);
/// let limiter = layer.limiter();
/// let mut search = ServiceBuilder::new()
///     .layer(layer.fallback(service_fn(async |rejected: Rejected<String>| {
///         Ok::<_, std::io::Error>(format!("{} (from the cache)", rejected.request))
///     })))
///     .service(service_fn(async |query: String| Ok(format!("{query} (fresh)"))));
///
/// assert_eq!(search.call("rust".into()).await?, "rust (fresh)");
/// let busy = limiter.try_acquire()?;
/// assert_eq!(search.call("rust".into()).await?, "rust (from the cache)");
/// # drop(busy);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct FallbackLayer<L, F> {
    limit: L,
    fallback: F,
}

impl<L, F> FallbackLayer<L, F> {
    pub(crate) fn new(limit: L, fallback: F) -> Self {
        Self { limit, fallback }
    }

    /// The limiting layer.
    pub fn get_ref(&self) -> &L {
        &self.limit
    }
}

impl<S, L, F> Layer<S> for FallbackLayer<L, F>
where
    L: Layer<S>,
    F: Clone,
{
    type Service = Fallback<L::Service, F>;

    fn layer(&self, inner: S) -> Self::Service {
        Fallback::new(self.limit.layer(inner), self.fallback.clone())
    }
}

impl<L: fmt::Display, F> fmt::Display for FallbackLayer<L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limit.fmt(f)
    }
}

impl<L: fmt::Debug, F> fmt::Debug for FallbackLayer<L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FallbackLayer")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Writes a layer's setter of a fallback.
macro_rules! fallback_setter {
    () => {
        /// Lets `fallback`, a service of [`Rejected`](crate::Rejected), answer
        /// what is turned away.
        ///
        /// See [`FallbackLayer`](crate::FallbackLayer).
        pub fn fallback<F>(self, fallback: F) -> crate::FallbackLayer<Self, F> {
            crate::FallbackLayer::new(self, fallback)
        }
    };
}

pub(crate) use fallback_setter;
