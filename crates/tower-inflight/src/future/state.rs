use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use inflight_core::PackedRefusal;
use pin_project::pin_project;
use tower_service::Service;

use crate::Error;
use crate::Rejection;
use crate::door::Pass;
use crate::hooks::{HookTask, Refused};
use crate::lease::{Completes, Lease, Terms, watch};
use crate::overflow::Overflow;
use crate::sign::Sign;
use crate::waiting::Waiting;

/// Where a call stands.
///
/// A call enters anywhere and moves down this list, or to an end. In every
/// variant what belongs to the service stands first, and so is destroyed
/// before the place is given back.
#[pin_project(project = StateProjection, project_replace = StateOwned)]
pub(super) enum State<S, Request, T, O, P>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass,
{
    Queued {
        service: S,
        request: Request,
        terms: T,
        overflow: O,
        waiting: Waiting<P>,
    },
    /// Admitted; `lease` is `None` after a panic.
    Readying {
        service: S,
        request: Request,
        lease: Option<T::Lease>,
    },
    /// At work; `lease` is `None` after a panic.
    Running {
        #[pin]
        call: S::Future,
        lease: Option<T::Lease>,
    },
    /// Refused, and the hook has yet to end.
    Telling {
        kept: O::Kept,
        task: HookTask,
    },
    /// Refused on arrival, packed: what a rejected call moves should be little.
    Full {
        kept: O::Kept,
        packed: PackedRefusal,
        sign: Sign,
    },
    /// Refused, and the caller has yet to be told.
    Told {
        kept: O::Kept,
        rejection: Rejection,
    },
    /// Refused, and something else runs in its stead.
    Diverted {
        #[pin]
        call: O::Call,
    },
    Done,
}

impl<S, Request, T, O, P> State<S, Request, T, O, P>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass,
{
    pub(super) fn refused(refused: Refused, kept: O::Kept) -> Self {
        match refused {
            Refused::Telling(task) => Self::Telling { kept, task },
            Refused::Told(rejection) => Self::Told { kept, rejection },
        }
    }

    /// Whether the call is at work, and has not panicked.
    #[inline]
    pub(super) fn is_running(&self) -> bool {
        matches!(self, Self::Running { lease: Some(_), .. })
    }

    /// What a call that was refused on arrival is told, if nothing can run in
    /// its stead.
    ///
    /// The state stays as it is: to replace it would cost a rejection a third.
    #[inline]
    pub(super) fn rejection(&self) -> Option<Rejection> {
        match self {
            Self::Full { packed, sign, .. } if !O::DIVERTS => {
                Some(Rejection::new(packed.unpack(), *sign))
            }
            _ => None,
        }
    }

    /// Polls a call that [runs](Self::is_running).
    #[inline]
    pub(super) fn work<Response>(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Response, Error<S::Error>>>
    where
        T::Lease: Completes<S::Response, S::Error, Response = Response>,
    {
        let StateProjection::Running { call, lease } = self.as_mut().project() else {
            unreachable!("it runs");
        };
        let result = ready!(watch(lease, || call.poll(cx)));
        Poll::Ready(self.end(result).map_err(Error::Service))
    }

    /// Ends a call that ran, where it is: to move its lease first would cost an
    /// adaptive call a tenth.
    #[inline]
    fn end<Response>(
        self: Pin<&mut Self>,
        result: Result<S::Response, S::Error>,
    ) -> Result<Response, S::Error>
    where
        T::Lease: Completes<S::Response, S::Error, Response = Response>,
    {
        let mut ending = Ending(self);
        let result = match ending.0.as_mut().project() {
            StateProjection::Running {
                lease: Some(lease), ..
            } => lease.completed(result),
            _ => unreachable!("it ran"),
        };
        // By hand: what a function is about to return is leaked if a destructor
        // panics at its end, and here the permit may be in it.
        drop(ending);
        result
    }

    /// Goes on by one step, unless the call has to wait or is at its end.
    pub(super) fn step(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Error<S::Error>>> {
        match self.as_mut().project() {
            StateProjection::Queued { waiting, .. } => match ready!(waiting.poll(cx)) {
                Ok(permit) => return self.admitted(permit, cx),
                Err(refused) => self.turned_away(refused),
            },
            StateProjection::Readying { service, lease, .. } if lease.is_some() => {
                let readiness = ready!(watch(lease, || service.poll_ready(cx)));
                return Poll::Ready(self.readied(readiness));
            }
            StateProjection::Telling { task, .. } => {
                let rejection = ready!(Pin::new(task).poll(cx));
                return Poll::Ready(self.divert(rejection));
            }
            StateProjection::Full { packed, sign, .. } => {
                let rejection = Rejection::new(packed.unpack(), *sign);
                return Poll::Ready(self.divert(rejection));
            }
            StateProjection::Told { rejection, .. } => {
                let rejection = *rejection;
                return Poll::Ready(self.divert(rejection));
            }
            _ => panic!("`ResponseFuture` polled after it had ended"),
        }
        Poll::Ready(Ok(()))
    }

    /// The lease begins here, before the service is made ready.
    fn admitted(
        mut self: Pin<&mut Self>,
        permit: P,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Error<S::Error>>> {
        let StateOwned::Queued {
            mut service,
            mut request,
            terms,
            ..
        } = self.as_mut().project_replace(Self::Done)
        else {
            unreachable!("only a queued call is admitted here");
        };
        let mut lease = Some(terms.begin(permit, &mut request));
        match watch(&mut lease, || service.poll_ready(cx)) {
            Poll::Ready(readiness) => Poll::Ready(self.run(readiness, service, request, lease)),
            Poll::Pending => {
                self.set(Self::Readying {
                    service,
                    request,
                    lease,
                });
                Poll::Pending
            }
        }
    }

    fn readied(
        mut self: Pin<&mut Self>,
        readiness: Result<(), S::Error>,
    ) -> Result<(), Error<S::Error>> {
        let StateOwned::Readying {
            service,
            request,
            lease,
        } = self.as_mut().project_replace(Self::Done)
        else {
            unreachable!("only a call that was admitted is made ready");
        };
        self.run(readiness, service, request, lease)
    }

    fn run(
        mut self: Pin<&mut Self>,
        readiness: Result<(), S::Error>,
        mut service: S,
        request: Request,
        mut lease: Option<T::Lease>,
    ) -> Result<(), Error<S::Error>> {
        if let Err(error) = readiness {
            drop((service, request));
            if let Some(lease) = &mut lease {
                lease.broken();
            }
            return Err(Error::Service(error));
        }
        let call = watch(&mut lease, || {
            let call = service.call(request);
            // Its destructor is its own code too.
            drop(service);
            call
        });
        self.set(Self::Running { call, lease });
        Ok(())
    }

    fn turned_away(mut self: Pin<&mut Self>, refused: Refused) {
        let StateOwned::Queued {
            service,
            request,
            overflow,
            ..
        } = self.as_mut().project_replace(Self::Done)
        else {
            unreachable!("only a queued call is turned away here");
        };
        drop(service);
        let kept = overflow.keep(request);
        self.set(Self::refused(refused, kept));
    }

    fn divert(mut self: Pin<&mut Self>, rejection: Rejection) -> Result<(), Error<S::Error>> {
        let (StateOwned::Telling { kept, .. }
        | StateOwned::Full { kept, .. }
        | StateOwned::Told { kept, .. }) = self.as_mut().project_replace(Self::Done)
        else {
            unreachable!("only a call that was refused is diverted");
        };
        let call = O::divert(kept, rejection).map_err(Error::Rejected)?;
        self.set(Self::Diverted { call });
        Ok(())
    }
}

impl<S, Request, T, O, P> fmt::Debug for State<S, Request, T, O, P>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Queued { .. } => "Queued",
            Self::Readying { .. } => "Readying",
            Self::Running { .. } => "Running",
            Self::Telling { .. } | Self::Full { .. } | Self::Told { .. } => "Rejected",
            Self::Diverted { .. } => "Diverted",
            Self::Done => "Done",
        })
    }
}

/// Destroys the service's future, then the lease, even if the lease's own code
/// panics when it takes note of the result.
struct Ending<'a, S, Request, T, O, P>(Pin<&'a mut State<S, Request, T, O, P>>)
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass;

impl<S, Request, T, O, P> Drop for Ending<'_, S, Request, T, O, P>
where
    S: Service<Request>,
    T: Terms<Request, P>,
    O: Overflow<Request>,
    P: Pass,
{
    #[inline]
    fn drop(&mut self) {
        self.0.set(State::Done);
    }
}
