use std::fmt;
use std::mem;
use std::task::{Context, Poll, ready};

use inflight_core::Refusal;
use tower_service::Service;

use crate::Error;
use crate::door::{Arrived, Door};
use crate::future::ResponseFuture;
use crate::handle::Handle;
use crate::lease::{Terms, watch};
use crate::overflow::Overflow;
use crate::waiting::Waiting;

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
pub(crate) struct Admission<S, D = Handle> {
    inner: S,
    readiness: Readiness,
    door: D,
}

impl<S, D> Admission<S, D> {
    pub(crate) fn new(inner: S, door: D) -> Self {
        Self {
            inner,
            readiness: Readiness::Unasked,
            door,
        }
    }

    #[inline]
    pub(crate) fn door(&self) -> &D {
        &self.door
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
}

impl<S, D: Door> Admission<S, D> {
    #[inline]
    pub(crate) fn poll_ready<Request>(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Error<S::Error>>>
    where
        S: Service<Request>,
    {
        if !self.door.has_room() {
            return Poll::Ready(Ok(()));
        }
        // Before it is asked, since it may have reserved something by the
        // time that it panics.
        self.readiness = Readiness::Pending;
        ready!(self.inner.poll_ready(cx)).map_err(Error::Service)?;
        self.readiness = Readiness::Ready;
        Poll::Ready(Ok(()))
    }

    #[inline]
    pub(crate) fn call<Request, T, O>(
        &mut self,
        mut request: Request,
        arrived: Arrived<D>,
        terms: T,
        overflow: impl FnOnce() -> O,
    ) -> ResponseFuture<S, Request, T, O, D::Permit>
    where
        S: Service<Request> + Clone,
        T: Terms<Request, D::Permit>,
        O: Overflow<Request>,
    {
        match arrived {
            Arrived::Admitted(permit) => {
                let lease = terms.begin(permit, &mut request);
                if self.readiness == Readiness::Ready {
                    self.run(request, lease)
                } else {
                    self.make_ready(request, lease)
                }
            }
            Arrived::Queued(waiter) => self.queue(request, waiter, terms, overflow()),
            Arrived::Refused(refusal) => self.refuse(refusal, overflow().keep(request)),
        }
    }

    #[inline]
    fn run<Request, T, O>(
        &mut self,
        request: Request,
        lease: T::Lease,
    ) -> ResponseFuture<S, Request, T, O, D::Permit>
    where
        S: Service<Request>,
        T: Terms<Request, D::Permit>,
        O: Overflow<Request>,
    {
        self.readiness = Readiness::Unasked;
        let mut lease = Some(lease);
        let call = watch(&mut lease, || self.inner.call(request));
        ResponseFuture::running(call, lease)
    }

    #[cold]
    #[inline(never)]
    fn make_ready<Request, T, O>(
        &mut self,
        request: Request,
        lease: T::Lease,
    ) -> ResponseFuture<S, Request, T, O, D::Permit>
    where
        S: Service<Request> + Clone,
        T: Terms<Request, D::Permit>,
        O: Overflow<Request>,
    {
        // What was polled goes along: it may be half-way to being ready.
        let fresh = self.inner.clone();
        self.readiness = Readiness::Unasked;
        let service = mem::replace(&mut self.inner, fresh);
        ResponseFuture::readying(service, request, lease)
    }

    #[cold]
    #[inline(never)]
    fn queue<Request, T, O>(
        &mut self,
        request: Request,
        waiter: D::Waiter,
        terms: T,
        overflow: O,
    ) -> ResponseFuture<S, Request, T, O, D::Permit>
    where
        S: Service<Request> + Clone,
        T: Terms<Request, D::Permit>,
        O: Overflow<Request>,
    {
        let waiting = Waiting::new(waiter);
        self.let_go();
        ResponseFuture::queued(self.inner.clone(), request, terms, overflow, waiting)
    }

    #[inline]
    fn refuse<Request, T, O>(
        &mut self,
        refusal: Refusal,
        kept: O::Kept,
    ) -> ResponseFuture<S, Request, T, O, D::Permit>
    where
        S: Service<Request> + Clone,
        T: Terms<Request, D::Permit>,
        O: Overflow<Request>,
    {
        if self.readiness != Readiness::Unasked {
            self.let_go();
        }
        match (refusal.pack(), self.door.quiet_sign()) {
            (Some(packed), Some(sign)) => ResponseFuture::full(packed, sign, kept),
            _ => self.tell(refusal, kept),
        }
    }

    #[cold]
    #[inline(never)]
    fn tell<Request, T, O>(
        &self,
        refusal: Refusal,
        kept: O::Kept,
    ) -> ResponseFuture<S, Request, T, O, D::Permit>
    where
        S: Service<Request>,
        T: Terms<Request, D::Permit>,
        O: Overflow<Request>,
    {
        ResponseFuture::refused(self.door.desk().tell(refusal), kept)
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

impl<S: Clone, D: Clone> Clone for Admission<S, D> {
    /// A clone starts empty: what the service of this one has reserved is not
    /// the other's.
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            readiness: Readiness::Unasked,
            door: self.door.clone(),
        }
    }
}

impl<S: fmt::Debug, D> fmt::Debug for Admission<S, D> {
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
