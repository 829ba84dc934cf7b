use crate::Limiter;
use crate::admission::Admission;
use crate::fixed::fixed_limit_service;
use crate::hold::UntilResponse;

/// Admits each call, lets it wait, or rejects it.
///
/// See [`ConcurrencyLimitLayer`](crate::ConcurrencyLimitLayer). Clones share
/// the limiter, and nothing else: a clone has neither a permit nor a place in
/// the line, and what its service has reserved when it was polled is its own.
///
/// `poll_ready` is pending only while the wrapped service is; it neither waits
/// for a permit nor reserves one. `call` decides, and may be made without it.
#[derive(Clone)]
pub struct ConcurrencyLimit<S, T = (), H = UntilResponse> {
    admission: Admission<S>,
    ticketing: T,
    hold: H,
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
        Self::with_parts(inner, limiter, (), UntilResponse)
    }
}

fixed_limit_service!(ConcurrencyLimit);
