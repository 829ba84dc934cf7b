use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use inflight_core::PackedRefusal;
use pin_project::pin_project;
use tower_service::Service;

use crate::hooks::{HookTask, Refused};
use crate::lease::{Completes, Lease, watch};
use crate::sign::Sign;
use crate::waiting::Waiting;
use crate::{Error, Permit, Rejection};

/// Where a call stands.
///
/// A call enters anywhere and moves down this list, or to an end. In every
/// variant what belongs to the service stands first, and so is destroyed
/// before the place is given back.
#[pin_project(project = StateProjection, project_replace = StateOwned)]
pub(super) enum State<S, F, Request, L: Lease> {
    Queued {
        service: S,
        request: Request,
        terms: L::Terms,
        waiting: Waiting,
    },
    /// Admitted; `lease` is `None` after a panic.
    Readying {
        service: S,
        request: Request,
        lease: Option<L>,
    },
    /// At work; `lease` is `None` after a panic.
    Running {
        #[pin]
        call: F,
        lease: Option<L>,
    },
    /// Refused, and the hook has yet to end.
    Telling {
        task: HookTask,
    },
    /// Refused on arrival, packed: what a rejected call moves should be little.
    Full {
        packed: PackedRefusal,
        sign: Sign,
    },
    /// Refused, and the caller has yet to be told.
    Told {
        rejection: Rejection,
    },
    Done,
}

impl<S, F, Request, L: Lease> State<S, F, Request, L> {
    pub(super) fn refused(refused: Refused) -> Self {
        match refused {
            Refused::Telling(task) => Self::Telling { task },
            Refused::Told(rejection) => Self::Told { rejection },
        }
    }

    /// Ends a call that ran, where it is: to move its lease first would cost an
    /// adaptive call a tenth.
    #[inline]
    pub(super) fn end<Response, Error>(self: Pin<&mut Self>, result: &Result<Response, Error>)
    where
        L: Completes<Response, Error>,
    {
        let mut ending = Ending(self);
        if let StateProjection::Running {
            lease: Some(lease), ..
        } = ending.0.as_mut().project()
        {
            lease.completed(result);
        }
    }

    /// Goes on until the call runs, has to wait, or is at its end.
    #[cold]
    #[inline(never)]
    pub(super) fn advance(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Error<S::Error>>>
    where
        S: Service<Request, Future = F>,
    {
        match self.as_mut().project() {
            StateProjection::Queued { waiting, .. } => match ready!(waiting.poll(cx)) {
                Ok(permit) => self.admitted(permit, cx),
                Err(refused) => {
                    self.set(Self::refused(refused));
                    Poll::Ready(Ok(()))
                }
            },
            StateProjection::Readying { service, lease, .. } if lease.is_some() => {
                let readiness = ready!(watch(lease, || service.poll_ready(cx)));
                let StateOwned::Readying {
                    service,
                    request,
                    lease,
                } = self.as_mut().project_replace(Self::Done)
                else {
                    unreachable!("it was so a line above");
                };
                Poll::Ready(self.readied(readiness, service, request, lease))
            }
            StateProjection::Telling { task } => {
                let rejection = ready!(Pin::new(task).poll(cx));
                self.set(Self::Done);
                Poll::Ready(Err(Error::Rejected(rejection)))
            }
            StateProjection::Told { rejection } => {
                let rejection = *rejection;
                self.set(Self::Done);
                Poll::Ready(Err(Error::Rejected(rejection)))
            }
            _ => panic!("`ResponseFuture` polled after it had ended"),
        }
    }

    /// The lease begins here, before the service is made ready.
    fn admitted(
        mut self: Pin<&mut Self>,
        permit: Permit,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Error<S::Error>>>
    where
        S: Service<Request, Future = F>,
    {
        let StateOwned::Queued {
            mut service,
            request,
            terms,
            ..
        } = self.as_mut().project_replace(Self::Done)
        else {
            unreachable!("only a queued call is admitted here");
        };
        let mut lease = Some(L::begin(permit, terms));
        match watch(&mut lease, || service.poll_ready(cx)) {
            Poll::Ready(readiness) => Poll::Ready(self.readied(readiness, service, request, lease)),
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
        mut service: S,
        request: Request,
        mut lease: Option<L>,
    ) -> Result<(), Error<S::Error>>
    where
        S: Service<Request, Future = F>,
    {
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
}

impl<S, F, Request, L: Lease> fmt::Debug for State<S, F, Request, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Queued { .. } => "Queued",
            Self::Readying { .. } => "Readying",
            Self::Running { .. } => "Running",
            Self::Telling { .. } | Self::Full { .. } | Self::Told { .. } => "Rejected",
            Self::Done => "Done",
        })
    }
}

/// Destroys the service's future, then the lease, even if the lease's own code
/// panics when it takes note of the result.
struct Ending<'a, S, F, Request, L: Lease>(Pin<&'a mut State<S, F, Request, L>>);

impl<S, F, Request, L: Lease> Drop for Ending<'_, S, F, Request, L> {
    #[inline]
    fn drop(&mut self) {
        self.0.set(State::Done);
    }
}
