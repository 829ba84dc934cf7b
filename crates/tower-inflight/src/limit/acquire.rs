use std::fmt;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::Permit;
use crate::Rejection;
use crate::door::{Arrived, Door, Pass};
use crate::hooks::{HookTask, Refused};
use crate::waiting::Waiting;

/// A caller who has a permit, waits for one, or will be told that there is
/// none.
///
/// Its place was taken when it was made, not at its first poll: one that is
/// kept without being polled keeps a permit, or a place in the line, from
/// everyone else.
///
/// # Errors
///
/// The [`Rejection`].
///
/// # Panics
///
/// If it is polled after it has ended; if it waits with a timeout and is
/// polled outside a tokio runtime. The limiter loses nothing by either.
///
/// # Cancel safety
///
/// Dropping it frees the place, or passes on a permit that was granted and not
/// yet taken. That is not a rejection, and calls no hook.
#[must_use = "an `Acquire` holds a place from the moment it is made, and gives it up when dropped"]
pub struct Acquire<P: Pass = Permit>(State<P>);

enum State<P: Pass> {
    Admitted(P),
    Waiting(Waiting<P>),
    Telling(HookTask),
    Told(Rejection),
    Done,
}

impl<D, P> Acquire<P>
where
    D: Door<Permit = P>,
    P: Pass<Door = D>,
{
    pub(crate) fn new(door: &D, arrived: Arrived<D>) -> Self {
        Self(match arrived {
            Arrived::Admitted(permit) => State::Admitted(permit),
            Arrived::Queued(waiter) => State::Waiting(Waiting::new(waiter)),
            Arrived::Refused(refusal) => State::refused(door.desk().tell(refusal)),
        })
    }
}

/// It is never pinned: what it holds may move.
impl<P: Pass> Unpin for Acquire<P> {}

impl<P: Pass> Future for Acquire<P> {
    type Output = Result<P, Rejection>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let State::Waiting(waiting) = &mut self.0 {
            match ready!(waiting.poll(cx)) {
                Ok(permit) => {
                    self.0 = State::Done;
                    return Poll::Ready(Ok(permit));
                }
                Err(refused) => self.0 = State::refused(refused),
            }
        }
        if let State::Telling(task) = &mut self.0 {
            self.0 = State::Told(ready!(Pin::new(task).poll(cx)));
        }
        match mem::replace(&mut self.0, State::Done) {
            State::Admitted(permit) => Poll::Ready(Ok(permit)),
            State::Told(rejection) => Poll::Ready(Err(rejection)),
            _ => panic!("`Acquire` polled after it had ended"),
        }
    }
}

impl<P: Pass> State<P> {
    fn refused(refused: Refused) -> Self {
        match refused {
            Refused::Telling(task) => Self::Telling(task),
            Refused::Told(rejection) => Self::Told(rejection),
        }
    }
}

impl<P: Pass> fmt::Debug for Acquire<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.0 {
            State::Admitted(_) => "Admitted",
            State::Waiting(_) => "Waiting",
            State::Telling(_) | State::Told(_) => "Rejected",
            State::Done => "Done",
        };
        f.debug_tuple("Acquire")
            .field(&format_args!("{state}"))
            .finish()
    }
}
