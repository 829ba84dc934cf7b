use std::fmt;

use tower_layer::Layer;

use super::{PriorityQueue, PriorityQueueBuilder};
use crate::Limiter;
use crate::builder::call_setters;
use crate::fallback::fallback_setter;
use crate::hold::UntilResponse;
use crate::ticketing::Prioritized;

/// Bounds how many calls run at once, and lets the most urgent of the waiting
/// go first.
///
/// `priority` is a `Fn(&Request) -> i32`; higher goes first, equal ones in the
/// order of arrival. If the line is full, an arrival of a *strictly* higher
/// priority takes the place of the newest waiter of the lowest, who is rejected
/// as [`QueueEvicted`](crate::Reason::QueueEvicted). What runs is never
/// evicted, and where nobody waits priorities change nothing.
///
/// A steady stream of urgent calls can starve the others: give the line a
/// `queue_timeout`, so that they learn of it. Never let a client set its own
/// priority.
///
/// ```
/// use tower::{Service, ServiceBuilder, service_fn};
/// use tower_inflight::{PriorityQueueLayer, Reason};
///
/// struct Job {
///     urgent: bool,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// // One at a time; one may wait.
/// let layer = PriorityQueueLayer::new(1, 1, |job: &Job| i32::from(job.urgent));
/// let mut service = ServiceBuilder::new()
///     .layer(layer)
///     .service(service_fn(|job: Job| async move { Ok::<_, std::io::Error>(job.urgent) }));
///
/// let running = service.call(Job { urgent: false });
/// let waiting = service.call(Job { urgent: false });
/// let urgent = service.call(Job { urgent: true });
///
/// let error = waiting.await.unwrap_err();
/// assert_eq!(error.rejection().unwrap().reason(), Reason::QueueEvicted);
/// assert_eq!(running.await.unwrap(), false);
/// assert_eq!(urgent.await.unwrap(), true);
/// # }
/// ```
///
/// # Fairness
///
/// Nobody passes a waiter of its own or a higher priority, not even where it
/// would fit and the waiter does not.
#[derive(Clone)]
pub struct PriorityQueueLayer<T, H = UntilResponse> {
    limiter: Limiter,
    ticketing: T,
    hold: H,
}

impl<P> PriorityQueueLayer<Prioritized<P>> {
    /// Lets `max_concurrency` calls run at once and `queue_limit` wait, the
    /// highest `priority` first.
    ///
    /// Name the request type in the closure: `|request: &Request<Body>| ..`.
    ///
    /// # Panics
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1.
    #[track_caller]
    pub fn new(max_concurrency: usize, queue_limit: usize, priority: P) -> Self {
        let built = Self::builder(priority)
            .max_concurrency(max_concurrency)
            .queue_limit(queue_limit)
            .build();
        match built {
            Ok(layer) => layer,
            Err(error) => panic!("{error}"),
        }
    }

    /// Has all the settings.
    pub fn builder(priority: P) -> PriorityQueueBuilder<Prioritized<P>> {
        PriorityQueueBuilder::new(priority)
    }

    /// Shares `limiter` with whoever else has a handle to it.
    ///
    /// It decides how its line goes: `priority` is ignored unless it was built
    /// with [`use_priority_queue`](crate::builder::LimiterBuilder::use_priority_queue).
    pub fn with_limiter(limiter: Limiter, priority: P) -> Self {
        Self::with_parts(limiter, Prioritized::new(priority, ()), UntilResponse)
    }
}

impl<T, H> PriorityQueueLayer<T, H> {
    call_setters!(PriorityQueueLayer<>: with_weight, with_max_wait, with_exempt, with_hold);

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

    fn asking<U>(self, change: impl FnOnce(T) -> U) -> PriorityQueueLayer<U, H> {
        PriorityQueueLayer::with_parts(self.limiter, change(self.ticketing), self.hold)
    }

    fn holding<N>(self, hold: N) -> PriorityQueueLayer<T, N> {
        PriorityQueueLayer::with_parts(self.limiter, self.ticketing, hold)
    }
}

impl<S, T: Clone, H: Clone> Layer<S> for PriorityQueueLayer<T, H> {
    type Service = PriorityQueue<S, T, H>;

    fn layer(&self, inner: S) -> Self::Service {
        let (ticketing, hold) = (self.ticketing.clone(), self.hold.clone());
        PriorityQueue::with_parts(inner, self.limiter(), ticketing, hold)
    }
}

impl<T, H> fmt::Display for PriorityQueueLayer<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limiter.fmt(f)
    }
}

impl<T, H> fmt::Debug for PriorityQueueLayer<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueueLayer")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}
