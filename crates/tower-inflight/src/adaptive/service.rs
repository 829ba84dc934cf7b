use std::fmt;
use std::task::{Context, Poll};

use tower_service::Service;

use super::Measuring;
use super::calls::Calls;
use super::classify::Classify;
use crate::accessors::inner_service_accessors;
use crate::admission::Admission;
use crate::future::ResponseFuture;
use crate::hold::{Hold, Keep, UntilResponse};
use crate::limits::Limits;
use crate::overflow::{Overflow, Reject};
use crate::ticketing::Asks;
use crate::{Error, Limiter, Permit};

/// Admits each call, lets it wait, or rejects it, and measures how it ends.
///
/// See [`AdaptiveAimdLayer`](crate::AdaptiveAimdLayer). Clones share the
/// limiter, and nothing else: a clone has neither a permit nor a place in the
/// line, and what its service has reserved when it was polled is its own.
///
/// `poll_ready` is pending only while the wrapped service is; it neither waits
/// for a permit nor reserves one. `call` decides, and may be made without it.
#[derive(Clone)]
pub struct Adaptive<S, C = (), T = (), H = UntilResponse> {
    admission: Admission<S>,
    calls: Calls<C, T, H>,
}

impl<S> Adaptive<S> {
    /// Wraps `inner` with a limiter that others may share; each error counts
    /// as an overload.
    pub fn with_limiter(inner: S, limiter: Limiter) -> Self {
        Self::with_parts(inner, limiter, Calls::default())
    }
}

impl<S, C, T, H> Adaptive<S, C, T, H> {
    inner_service_accessors!(admission);

    /// The limiter.
    pub fn limiter(&self) -> Limiter {
        Limiter::from_handle(self.admission.door().clone())
    }

    pub(super) fn with_parts(inner: S, limiter: Limiter, calls: Calls<C, T, H>) -> Self {
        Self {
            admission: Admission::new(inner, limiter.into_handle()),
            calls,
        }
    }
}

impl<S, C, T, H, Request> Limits<Request> for Adaptive<S, C, T, H>
where
    S: Service<Request> + Clone,
    C: Clone,
    T: Asks<Request>,
    H: Hold<Request, Permit> + Clone,
{
    type Inner = S;
    type Terms = Measuring<C, H>;
    type Permit = Permit;

    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error<S::Error>>> {
        self.admission.poll_ready(cx)
    }

    #[inline]
    fn admit<O: Overflow<Request>>(
        &mut self,
        request: Request,
        overflow: impl FnOnce() -> O,
    ) -> ResponseFuture<S, Request, Measuring<C, H>, O> {
        let arrived = self.admission.door().ask(&self.calls.ticketing, &request);
        let terms = self.calls.terms();
        self.admission.call(request, arrived, terms, overflow)
    }
}

impl<S, C, T, H, Request> Service<Request> for Adaptive<S, C, T, H>
where
    S: Service<Request> + Clone,
    C: Classify<S::Response, S::Error> + Clone,
    T: Asks<Request>,
    H: Hold<Request, Permit, Held: Keep<S::Response>> + Clone,
{
    type Response = <H::Held as Keep<S::Response>>::Response;
    type Error = Error<S::Error>;
    type Future = ResponseFuture<S, Request, Measuring<C, H>>;

    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Limits::poll_ready(self, cx)
    }

    #[inline]
    fn call(&mut self, request: Request) -> Self::Future {
        self.admit(request, || Reject)
    }
}

impl<S: fmt::Debug, C, T, H> fmt::Debug for Adaptive<S, C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adaptive")
            .field("admission", &self.admission)
            .finish_non_exhaustive()
    }
}
