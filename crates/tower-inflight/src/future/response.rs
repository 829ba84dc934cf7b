use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use inflight_core::PackedRefusal;
use pin_project::pin_project;
use tower_service::Service;

use super::state::{State, StateProjection};
use crate::door::Pass;
use crate::hold::UntilResponse;
use crate::hooks::Refused;
use crate::lease::{Completes, Terms};
use crate::overflow::{Diverts, Overflow, Reject};
use crate::sign::Sign;
use crate::unmeasured::Unmeasured;
use crate::waiting::Waiting;
use crate::{Error, Permit};

/// A call that is rejected, waits, is made ready, or runs, or whose fallback
/// does.
///
/// The permit is given back as soon as the service's future is *ready*, not
/// when this one is dropped, unless the layer's `hold` lets it live on; the
/// service's future is destroyed before.
///
/// # Errors
///
/// [`Error::Rejected`] if the limiter did not admit the call and there is no
/// fallback, [`Error::Service`] with the service's own error, or the fallback's.
///
/// # Panics
///
/// If it is polled after it has ended (one that was rejected on arrival may
/// say so again), or after the service or the fallback has panicked in it; if it
/// waits with a timeout and is polled outside a tokio runtime. The limiter loses
/// nothing by any of it.
///
/// # Cancel safety
///
/// Dropping it cancels the call: it frees the place in the line, passes on a
/// permit that was granted and not yet taken, or ends the work and gives the
/// permit back. That is not a rejection, and calls no hook. A call that was
/// rejected stays so, and its fallback is dropped.
#[pin_project]
#[must_use = "dropping a `ResponseFuture` cancels the call"]
pub struct ResponseFuture<S, Request, T = Unmeasured<UntilResponse>, O = Reject, P = Permit>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass,
{
    #[pin]
    state: State<S, Request, T, O, P>,
}

impl<S, Request, T, O, P> ResponseFuture<S, Request, T, O, P>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass,
{
    #[inline]
    pub(crate) fn running(call: S::Future, lease: Option<T::Lease>) -> Self {
        Self {
            state: State::Running { call, lease },
        }
    }

    pub(crate) fn readying(service: S, request: Request, lease: T::Lease) -> Self {
        Self {
            state: State::Readying {
                service,
                request,
                lease: Some(lease),
            },
        }
    }

    pub(crate) fn queued(
        service: S,
        request: Request,
        terms: T,
        overflow: O,
        waiting: Waiting<P>,
    ) -> Self {
        Self {
            state: State::Queued {
                service,
                request,
                terms,
                overflow,
                waiting,
            },
        }
    }

    #[inline]
    pub(crate) fn full(packed: PackedRefusal, sign: Sign, kept: O::Kept) -> Self {
        Self {
            state: State::Full { kept, packed, sign },
        }
    }

    pub(crate) fn refused(refused: Refused, kept: O::Kept) -> Self {
        Self {
            state: State::refused(refused, kept),
        }
    }
}

impl<S, Request, T, O, P> Future for ResponseFuture<S, Request, T, O, P>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    T::Lease: Completes<S::Response, S::Error>,
    O: Diverts<Request, S::Response, S::Error>,
    P: Pass,
{
    type Output = Result<<T::Lease as Completes<S::Response, S::Error>>::Response, Error<S::Error>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let state = self.project().state;
        if let Some(rejection) = state.rejection() {
            Poll::Ready(Err(Error::Rejected(rejection)))
        } else if state.is_running() {
            state.work(cx)
        } else {
            advance(state, cx)
        }
    }
}

/// Goes on until the call or what runs in its stead has ended, or has to wait.
///
/// Apart from the two frequent states, so that they stay small enough to be
/// inlined.
#[cold]
#[inline(never)]
fn advance<S, Request, T, O, P, Response>(
    mut state: Pin<&mut State<S, Request, T, O, P>>,
    cx: &mut Context<'_>,
) -> Poll<Result<Response, Error<S::Error>>>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    T::Lease: Completes<S::Response, S::Error, Response = Response>,
    O: Diverts<Request, S::Response, S::Error>,
    P: Pass,
{
    loop {
        if state.is_running() {
            return state.work(cx);
        }
        if let StateProjection::Diverted { call } = state.as_mut().project() {
            let result = ready!(O::poll(call, cx));
            state.set(State::Done);
            let response = result.map(T::Lease::without);
            return Poll::Ready(response.map_err(Error::Service));
        }
        ready!(state.as_mut().step(cx))?;
    }
}

impl<S, Request, T, O, P> fmt::Debug for ResponseFuture<S, Request, T, O, P>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture")
            .field("state", &self.state)
            .finish()
    }
}
