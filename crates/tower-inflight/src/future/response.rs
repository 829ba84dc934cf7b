use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use inflight_core::PackedRefusal;
use pin_project::pin_project;
use tower_service::Service;

use super::state::{State, StateProjection};
use crate::hooks::Refused;
use crate::lease::{Completes, Lease, watch};
use crate::sign::Sign;
use crate::waiting::Waiting;
use crate::{Error, Permit, Rejection};

/// A call that is rejected, waits, is made ready, or runs.
///
/// The permit is given back as soon as the service's future is *ready*, not
/// when this one is dropped; the service's future is destroyed before.
///
/// # Errors
///
/// [`Error::Rejected`] if the limiter did not admit the call,
/// [`Error::Service`] with the service's own error.
///
/// # Panics
///
/// If it is polled after it has ended (one that was rejected on arrival may
/// say so again), or after the service has panicked in it; if it waits with a
/// timeout and is polled outside a tokio runtime. The limiter loses nothing by
/// any of it.
///
/// # Cancel safety
///
/// Dropping it cancels the call: it frees the place in the line, passes on a
/// permit that was granted and not yet taken, or ends the work and gives the
/// permit back. That is not a rejection, and calls no hook.
#[pin_project]
#[must_use = "dropping a `ResponseFuture` cancels the call"]
pub struct ResponseFuture<S: Service<Request>, Request, L: Lease = Permit> {
    #[pin]
    state: State<S, S::Future, Request, L>,
}

impl<S: Service<Request>, Request, L: Lease> ResponseFuture<S, Request, L> {
    #[inline]
    pub(crate) fn running(call: S::Future, lease: Option<L>) -> Self {
        Self {
            state: State::Running { call, lease },
        }
    }

    pub(crate) fn readying(service: S, request: Request, lease: L) -> Self {
        Self {
            state: State::Readying {
                service,
                request,
                lease: Some(lease),
            },
        }
    }

    pub(crate) fn queued(service: S, request: Request, terms: L::Terms, waiting: Waiting) -> Self {
        Self {
            state: State::Queued {
                service,
                request,
                terms,
                waiting,
            },
        }
    }

    #[inline]
    pub(crate) fn full(packed: PackedRefusal, sign: Sign) -> Self {
        Self {
            state: State::Full { packed, sign },
        }
    }

    pub(crate) fn refused(refused: Refused) -> Self {
        Self {
            state: State::refused(refused),
        }
    }
}

impl<S, Request, L> Future for ResponseFuture<S, Request, L>
where
    S: Service<Request>,
    L: Completes<S::Response, S::Error>,
{
    type Output = Result<S::Response, Error<S::Error>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.project().state;
        loop {
            match state.as_mut().project() {
                StateProjection::Running { call, lease } if lease.is_some() => {
                    let result = ready!(watch(lease, || call.poll(cx)));
                    state.end(&result);
                    return Poll::Ready(result.map_err(Error::Service));
                }
                // It stays: to replace it would cost a rejection a third.
                StateProjection::Full { packed, sign } => {
                    let refusal = packed.unpack();
                    return Poll::Ready(Err(Error::Rejected(Rejection::new(refusal, *sign))));
                }
                _ => ready!(state.as_mut().advance(cx))?,
            }
        }
    }
}

impl<S: Service<Request>, Request, L: Lease> fmt::Debug for ResponseFuture<S, Request, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture")
            .field("state", &self.state)
            .finish()
    }
}
