use std::fmt;
use std::task::{Context, Poll};

use tower_service::Service;

use super::Measurement;
use super::classify::Classify;
use super::reading::Reading;
use crate::accessors::inner_service_accessors;
use crate::admission::Admission;
use crate::future::ResponseFuture;
use crate::priority::Priority;
use crate::weight::Weight;
use crate::{Error, Limiter};

/// Admits each call, lets it wait, or rejects it, and measures how it ends.
///
/// See [`AdaptiveAimdLayer`](crate::AdaptiveAimdLayer). Clones share the
/// limiter, and nothing else: a clone has neither a permit nor a place in the
/// line, and what its service has reserved when it was polled is its own.
///
/// `poll_ready` is pending only while the wrapped service is; it neither waits
/// for a permit nor reserves one. `call` decides, and may be made without it.
#[derive(Clone)]
pub struct Adaptive<S, C = (), P = (), W = ()> {
    admission: Admission<S>,
    reading: Reading<C, P, W>,
}

impl<S> Adaptive<S> {
    /// Wraps `inner` with a limiter that others may share; each error counts
    /// as an overload.
    pub fn with_limiter(inner: S, limiter: Limiter) -> Self {
        Self::with_parts(inner, limiter, Reading::default())
    }
}

impl<S, C, P, W> Adaptive<S, C, P, W> {
    inner_service_accessors!(admission);

    /// The limiter.
    pub fn limiter(&self) -> Limiter {
        self.admission.limiter()
    }

    pub(super) fn with_parts(inner: S, limiter: Limiter, reading: Reading<C, P, W>) -> Self {
        Self {
            admission: Admission::new(inner, limiter),
            reading,
        }
    }
}

impl<S, C, P, W, Request> Service<Request> for Adaptive<S, C, P, W>
where
    S: Service<Request> + Clone,
    C: Classify<S::Response, S::Error> + Clone,
    P: Priority<Request>,
    W: Weight<Request>,
{
    type Response = S::Response;
    type Error = Error<S::Error>;
    type Future = ResponseFuture<S, Request, Measurement<C>>;

    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.admission.poll_ready(cx)
    }

    #[inline]
    fn call(&mut self, request: Request) -> Self::Future {
        let weight = self.reading.weight.weigh(&request);
        let priority = self.reading.priority.prioritize(&request);
        let classify = self.reading.classify.clone();
        self.admission.call(request, weight, priority, classify)
    }
}

impl<S: fmt::Debug, C, P, W> fmt::Debug for Adaptive<S, C, P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adaptive")
            .field("admission", &self.admission)
            .finish_non_exhaustive()
    }
}
