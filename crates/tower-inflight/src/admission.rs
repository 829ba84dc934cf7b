use std::fmt;
use std::mem;
use std::task::{Context, Poll, ready};

use inflight_core::{Arrival, Host, Refusal, Ticket, Waiter};
use tower_service::Service;

use crate::future::ResponseFuture;
use crate::handle::Handle;
use crate::lease::{Lease, watch};
use crate::waiting::Waiting;
use crate::{Error, Limiter, Permit, Rejection};

/// A service and the limiter in front of it: the one place where both meet.
///
/// The contract, by where a call stands:
///
/// | room | service | `poll_ready` | `call` |
/// |---|---|---|---|
/// | yes | not polled | polls it | permit; a clone is made ready in the future |
/// | yes | pending | polls it | permit; it is made ready in the future |
/// | yes | ready | polls it | permit; it is called |
/// | no | not polled | ready | line or rejection |
/// | no | pending, ready | ready | line or rejection; a fresh clone replaces it |
///
/// So nobody waits with a ready service in hand, and `poll_ready` neither
/// reserves a permit nor rejects.
pub(crate) struct Admission<S> {
    inner: S,
    readiness: Readiness,
    handle: Handle,
}

impl<S> Admission<S> {
    pub(crate) fn new(inner: S, limiter: Limiter) -> Self {
        Self {
            inner,
            readiness: Readiness::Unasked,
            handle: limiter.into_handle(),
        }
    }

    pub(crate) fn limiter(&self) -> Limiter {
        Limiter::from_handle(self.handle.clone())
    }

    pub(crate) fn get_ref(&self) -> &S {
        &self.inner
    }

    pub(crate) fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    pub(crate) fn into_inner(self) -> S {
        self.inner
    }

    #[inline]
    pub(crate) fn poll_ready<Request>(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Error<S::Error>>>
    where
        S: Service<Request>,
    {
        if !self.handle.gate().has_room() {
            return Poll::Ready(Ok(()));
        }
        // Before it is asked, since it may have reserved something by the
        // time that it panics.
        self.readiness = Readiness::Pending;
        ready!(self.inner.poll_ready(cx)).map_err(Error::Service)?;
        self.readiness = Readiness::Ready;
        Poll::Ready(Ok(()))
    }

    /// Weight and priority come one by one, and so in registers: a ticket
    /// that goes through memory costs a tenth of an admitted call.
    #[inline]
    pub(crate) fn call<Request, L>(
        &mut self,
        request: Request,
        weight: u32,
        priority: i32,
        terms: L::Terms,
    ) -> ResponseFuture<S, Request, L>
    where
        S: Service<Request> + Clone,
        L: Lease,
    {
        let ticket = Ticket::new().with_weight(weight).with_priority(priority);
        match self.handle.arrive(ticket) {
            Arrival::Admitted(permit) => {
                let lease = L::begin(Permit::new(permit), terms);
                if self.readiness == Readiness::Ready {
                    self.run(request, lease)
                } else {
                    self.make_ready(request, lease)
                }
            }
            Arrival::Queued(waiter) => self.queue(request, waiter, terms),
            Arrival::Refused(refusal) => self.refuse(refusal),
        }
    }

    #[inline]
    fn run<Request, L>(&mut self, request: Request, lease: L) -> ResponseFuture<S, Request, L>
    where
        S: Service<Request>,
        L: Lease,
    {
        self.readiness = Readiness::Unasked;
        let mut lease = Some(lease);
        let call = watch(&mut lease, || self.inner.call(request));
        ResponseFuture::running(call, lease)
    }

    #[cold]
    #[inline(never)]
    fn make_ready<Request, L>(
        &mut self,
        request: Request,
        lease: L,
    ) -> ResponseFuture<S, Request, L>
    where
        S: Service<Request> + Clone,
        L: Lease,
    {
        // What was polled goes along: it may be half-way to being ready.
        let fresh = self.inner.clone();
        self.readiness = Readiness::Unasked;
        let service = mem::replace(&mut self.inner, fresh);
        ResponseFuture::readying(service, request, lease)
    }

    #[cold]
    #[inline(never)]
    fn queue<Request, L>(
        &mut self,
        request: Request,
        waiter: Waiter<Handle>,
        terms: L::Terms,
    ) -> ResponseFuture<S, Request, L>
    where
        S: Service<Request> + Clone,
        L: Lease,
    {
        let waiting = Waiting::new(waiter);
        self.let_go();
        ResponseFuture::queued(self.inner.clone(), request, terms, waiting)
    }

    #[inline]
    fn refuse<Request, L>(&mut self, refusal: Refusal) -> ResponseFuture<S, Request, L>
    where
        S: Service<Request> + Clone,
        L: Lease,
    {
        if self.readiness != Readiness::Unasked {
            self.let_go();
        }
        match refusal.pack() {
            Some(packed) if !self.handle.has_hook() => {
                ResponseFuture::full(packed, self.handle.sign())
            }
            _ => self.tell(self.handle.rejection(refusal)),
        }
    }

    #[cold]
    #[inline(never)]
    fn tell<Request, L>(&self, rejection: Rejection) -> ResponseFuture<S, Request, L>
    where
        S: Service<Request>,
        L: Lease,
    {
        ResponseFuture::refused(self.handle.tell(rejection))
    }

    /// Gives up what the service may have reserved when it was polled.
    #[cold]
    fn let_go(&mut self)
    where
        S: Clone,
    {
        if self.readiness != Readiness::Unasked {
            let fresh = self.inner.clone();
            // First, since dropping what was polled may panic.
            self.readiness = Readiness::Unasked;
            self.inner = fresh;
        }
    }
}

impl<S: Clone> Clone for Admission<S> {
    /// A clone starts empty: what the service of this one has reserved is not
    /// the other's.
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            readiness: Readiness::Unasked,
            handle: self.handle.clone(),
        }
    }
}

impl<S: fmt::Debug> fmt::Debug for Admission<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admission")
            .field("inner", &self.inner)
            .field("readiness", &self.readiness)
            .finish_non_exhaustive()
    }
}

/// What the service said when it was last asked, after its last call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Readiness {
    Unasked,
    Pending,
    Ready,
}
