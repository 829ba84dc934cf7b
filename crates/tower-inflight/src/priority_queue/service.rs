use crate::Limiter;
use crate::admission::Admission;
use crate::fixed::fixed_limit_service;
use crate::hold::UntilResponse;
use crate::ticketing::Prioritized;

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

fixed_limit_service!(PriorityQueue);
