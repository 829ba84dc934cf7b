use std::fmt;
use std::task::{Context, Poll};

use tower_service::Service;

use crate::accessors::inner_service_accessors;
use crate::admission::Admission;
use crate::future::ResponseFuture;
use crate::hold::{Hold, Keep, UntilResponse};
use crate::limits::Limits;
use crate::overflow::{Overflow, Reject};
use crate::ticketing::{Asks, Prioritized};
use crate::unmeasured::Unmeasured;
use crate::{Error, Limiter, Permit};

/// Admits each call, lets it wait for its turn by priority, or rejects it.
///
/// See [`PriorityQueueLayer`](crate::PriorityQueueLayer). Clones share the
/// limiter, and nothing else: a clone has neither a permit nor a place in the
/// line, and what its service has reserved when it was polled is its own.
///
/// `poll_ready` is pending only while the wrapped service is; it neither waits
/// for a permit nor reserves one. `call` decides, and may be made without it.
#[derive(Clone)]
pub struct PriorityQueue<S, T, H = UntilResponse> {
    admission: Admission<S>,
    ticketing: T,
    hold: H,
}

impl<S, P> PriorityQueue<S, Prioritized<P>> {
    /// Wraps `inner` with a limiter that others may share.
    ///
    /// The limiter decides how its line goes: `priority` is ignored unless it
    /// was built with
    /// [`use_priority_queue`](crate::builder::LimiterBuilder::use_priority_queue).
    pub fn with_limiter(inner: S, limiter: Limiter, priority: P) -> Self {
        let ticketing = Prioritized::new(priority, ());
        Self::with_parts(inner, limiter, ticketing, UntilResponse)
    }
}

impl<S, T, H> PriorityQueue<S, T, H> {
    inner_service_accessors!(admission);

    /// The limiter.
    pub fn limiter(&self) -> Limiter {
        Limiter::from_handle(self.admission.door().clone())
    }

    pub(super) fn with_parts(inner: S, limiter: Limiter, ticketing: T, hold: H) -> Self {
        Self {
            admission: Admission::new(inner, limiter.into_handle()),
            ticketing,
            hold,
        }
    }
}

impl<S, T, H, Request> Limits<Request> for PriorityQueue<S, T, H>
where
    S: Service<Request> + Clone,
    T: Asks<Request>,
    H: Hold<Request, Permit> + Clone,
{
    type Inner = S;
    type Terms = Unmeasured<H>;
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
    ) -> ResponseFuture<S, Request, Unmeasured<H>, O> {
        let arrived = self.admission.door().ask(&self.ticketing, &request);
        let terms = Unmeasured(self.hold.clone());
        self.admission.call(request, arrived, terms, overflow)
    }
}

impl<S, T, H, Request> Service<Request> for PriorityQueue<S, T, H>
where
    S: Service<Request> + Clone,
    T: Asks<Request>,
    H: Hold<Request, Permit, Held: Keep<S::Response>> + Clone,
{
    type Response = <H::Held as Keep<S::Response>>::Response;
    type Error = Error<S::Error>;
    type Future = ResponseFuture<S, Request, Unmeasured<H>>;

    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Limits::poll_ready(self, cx)
    }

    #[inline]
    fn call(&mut self, request: Request) -> Self::Future {
        self.admit(request, || Reject)
    }
}

impl<S: fmt::Debug, T, H> fmt::Debug for PriorityQueue<S, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueue")
            .field("admission", &self.admission)
            .finish_non_exhaustive()
    }
}
