use std::fmt;
use std::hash::Hash;
use std::task::{Context, Poll};

use tower_service::Service;

use super::calls::Calls;
use super::handle::KeyedHandle;
use super::total::{FixedTotal, Total};
use super::{KeyedLimiter, KeyedPermit};
use crate::Error;
use crate::accessors::inner_service_accessors;
use crate::admission::Admission;
use crate::future::ResponseFuture;
use crate::hold::UntilResponse;
use crate::lease::{Completes, Terms};
use crate::limits::Limits;
use crate::overflow::{Overflow, Reject};
use crate::ticketing::Asks;

/// Admits each call under its key, lets it wait, or rejects it.
///
/// See [`KeyedLimitLayer`](crate::KeyedLimitLayer). Clones share the limiter,
/// and nothing else: a clone has neither a permit nor a place in a line, and
/// what its service has reserved when it was polled is its own.
///
/// `poll_ready` is pending only while the wrapped service is; it neither waits
/// for a permit nor reserves one. `call` decides, and may be made without it.
pub struct KeyedLimit<S, K, R, T = (), H = UntilResponse, M = FixedTotal> {
    admission: Admission<S, KeyedHandle<K>>,
    calls: Calls<R, T, H, M>,
}

impl<S, K, R, T, H, M> KeyedLimit<S, K, R, T, H, M> {
    inner_service_accessors!(admission);

    /// The limiter.
    pub fn limiter(&self) -> KeyedLimiter<K> {
        KeyedLimiter::from_handle(self.admission.door().clone())
    }

    pub(super) fn with_parts(inner: S, limiter: KeyedLimiter<K>, calls: Calls<R, T, H, M>) -> Self {
        Self {
            admission: Admission::new(inner, limiter.into_handle()),
            calls,
        }
    }
}

impl<S, K, R, T, H, M, Request> Limits<Request> for KeyedLimit<S, K, R, T, H, M>
where
    S: Service<Request> + Clone,
    K: Eq + Hash,
    R: Fn(&Request) -> K,
    T: Asks<Request>,
    H: Clone,
    M: Total<H, Terms: Terms<Request, KeyedPermit<K>>>,
{
    type Inner = S;
    type Terms = M::Terms;
    type Permit = KeyedPermit<K>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error<S::Error>>> {
        self.admission.poll_ready(cx)
    }

    fn admit<O: Overflow<Request>>(
        &mut self,
        request: Request,
        overflow: impl FnOnce() -> O,
    ) -> ResponseFuture<S, Request, M::Terms, O, KeyedPermit<K>> {
        let Calls { key, ticketing, .. } = &self.calls;
        let arrived = self.admission.door().ask(key, ticketing, &request);
        let terms = self.calls.terms();
        self.admission.call(request, arrived, terms, overflow)
    }
}

impl<S, K, R, T, H, M, L, Request> Service<Request> for KeyedLimit<S, K, R, T, H, M>
where
    S: Service<Request> + Clone,
    K: Eq + Hash,
    R: Fn(&Request) -> K,
    T: Asks<Request>,
    H: Clone,
    M: Total<H, Terms: Terms<Request, KeyedPermit<K>, Lease = L>>,
    L: Completes<S::Response, S::Error>,
{
    type Response = L::Response;
    type Error = Error<S::Error>;
    type Future = ResponseFuture<S, Request, M::Terms, Reject, KeyedPermit<K>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Limits::poll_ready(self, cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        self.admit(request, || Reject)
    }
}

impl<S, K, R, T, H, M> Clone for KeyedLimit<S, K, R, T, H, M>
where
    S: Clone,
    R: Clone,
    T: Clone,
    H: Clone,
    M: Clone,
{
    fn clone(&self) -> Self {
        Self {
            admission: self.admission.clone(),
            calls: self.calls.clone(),
        }
    }
}

impl<S: fmt::Debug, K, R, T, H, M> fmt::Debug for KeyedLimit<S, K, R, T, H, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedLimit")
            .field("admission", &self.admission)
            .finish_non_exhaustive()
    }
}
