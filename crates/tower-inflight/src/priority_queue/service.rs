use std::fmt;
use std::task::{Context, Poll};

use tower_service::Service;

use crate::accessors::inner_service_accessors;
use crate::admission::Admission;
use crate::future::ResponseFuture;
use crate::weight::Weight;
use crate::{Error, Limiter};

/// Admits each call, lets it wait for its turn by priority, or rejects it.
///
/// See [`PriorityQueueLayer`](crate::PriorityQueueLayer). Clones share the
/// limiter, and nothing else: a clone has neither a permit nor a place in the
/// line, and what its service has reserved when it was polled is its own.
///
/// `poll_ready` is pending only while the wrapped service is; it neither waits
/// for a permit nor reserves one. `call` decides, and may be made without it.
#[derive(Clone)]
pub struct PriorityQueue<S, P, W = ()> {
    admission: Admission<S>,
    priority: P,
    weight: W,
}

impl<S, P> PriorityQueue<S, P> {
    /// Wraps `inner` with a limiter that others may share.
    ///
    /// The limiter decides how its line goes: `priority` is ignored unless it
    /// was built with
    /// [`use_priority_queue`](crate::builder::LimiterBuilder::use_priority_queue).
    pub fn with_limiter(inner: S, limiter: Limiter, priority: P) -> Self {
        Self::with_parts(inner, limiter, priority, ())
    }
}

impl<S, P, W> PriorityQueue<S, P, W> {
    inner_service_accessors!(admission);

    /// The limiter.
    pub fn limiter(&self) -> Limiter {
        self.admission.limiter()
    }

    pub(super) fn with_parts(inner: S, limiter: Limiter, priority: P, weight: W) -> Self {
        Self {
            admission: Admission::new(inner, limiter),
            priority,
            weight,
        }
    }
}

impl<S, P, W, Request> Service<Request> for PriorityQueue<S, P, W>
where
    S: Service<Request> + Clone,
    P: Fn(&Request) -> i32,
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
        let priority = (self.priority)(&request);
        self.admission.call(request, weight, priority, ())
    }
}

impl<S: fmt::Debug, P, W> fmt::Debug for PriorityQueue<S, P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueue")
            .field("admission", &self.admission)
            .finish_non_exhaustive()
    }
}
