use std::fmt;
use std::task::{Context, Poll};

use tower_service::Service;

use crate::accessors::inner_service_accessors;
use crate::admission::Admission;
use crate::future::ResponseFuture;
use crate::weight::Weight;
use crate::{Error, Limiter};

/// Admits each call, lets it wait, or rejects it.
///
/// See [`ConcurrencyLimitLayer`](crate::ConcurrencyLimitLayer). Clones share
/// the limiter, and nothing else: a clone has neither a permit nor a place in
/// the line, and what its service has reserved when it was polled is its own.
///
/// `poll_ready` is pending only while the wrapped service is; it neither waits
/// for a permit nor reserves one. `call` decides, and may be made without it.
#[derive(Clone)]
pub struct ConcurrencyLimit<S, W = ()> {
    admission: Admission<S>,
    weight: W,
}

impl<S> ConcurrencyLimit<S> {
    /// Wraps `inner` with a limiter of its own, which rejects at once what
    /// does not fit.
    ///
    /// # Panics
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1.
    #[track_caller]
    pub fn new(inner: S, max_concurrency: usize) -> Self {
        Self::with_limiter(inner, Limiter::new(max_concurrency))
    }

    /// Wraps `inner` with a limiter that others may share.
    pub fn with_limiter(inner: S, limiter: Limiter) -> Self {
        Self::with_parts(inner, limiter, ())
    }
}

impl<S, W> ConcurrencyLimit<S, W> {
    inner_service_accessors!(admission);

    /// The limiter.
    pub fn limiter(&self) -> Limiter {
        self.admission.limiter()
    }

    pub(super) fn with_parts(inner: S, limiter: Limiter, weight: W) -> Self {
        Self {
            admission: Admission::new(inner, limiter),
            weight,
        }
    }
}

impl<S, W, Request> Service<Request> for ConcurrencyLimit<S, W>
where
    S: Service<Request> + Clone,
    W: Weight<Request>,
{
    type Response = S::Response;
    type Error = Error<S::Error>;
    type Future = ResponseFuture<S, Request>;

    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.admission.poll_ready(cx)
    }

    #[inline]
    fn call(&mut self, request: Request) -> Self::Future {
        let weight = self.weight.weigh(&request);
        self.admission.call(request, weight, 0, ())
    }
}

impl<S: fmt::Debug, W> fmt::Debug for ConcurrencyLimit<S, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConcurrencyLimit")
            .field("admission", &self.admission)
            .finish_non_exhaustive()
    }
}
