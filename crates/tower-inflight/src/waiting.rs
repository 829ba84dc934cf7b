use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use tokio::task::coop::unconstrained;
use tokio::time::{Sleep, sleep_until};

use crate::clock::Moment;
use crate::door::{Answer, Await, Door, Pass};
use crate::hooks::Refused;
use crate::reports::{Phase, Since};

/// A place in the line, with the alarm clock that a deadline needs.
///
/// The gate alone decides whether a wait is over; the timer only sees to it
/// that somebody asks.
pub(crate) struct Waiting<P: Pass> {
    waiter: <P::Door as Door>::Waiter,
    timer: Option<Pin<Box<Sleep>>>,
    /// `None` once it has had its answer, or if nobody collects how long it
    /// takes.
    since: Option<Since>,
}

impl<P: Pass> Waiting<P> {
    pub(crate) fn new(waiter: <P::Door as Door>::Waiter) -> Self {
        let since = waiter
            .door()
            .and_then(|door| door.reports().since(Moment::now));
        Self {
            waiter,
            timer: None,
            since,
        }
    }

    /// # Panics
    ///
    /// Outside a tokio runtime, if the wait has a deadline.
    #[inline]
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<P, Refused>> {
        loop {
            match self.waiter.poll(cx.waker()) {
                Answer::Admitted(permit) => {
                    if let Some(since) = self.since.take() {
                        permit.door().reports().waited(since);
                    }
                    return Poll::Ready(Ok(permit));
                }
                Answer::Refused(refusal) => {
                    if let Some(since) = self.since.take() {
                        self.door().reports().waited(since);
                    }
                    return Poll::Ready(Err(self.door().desk().tell(refusal)));
                }
                Answer::Pending { deadline: None } => return Poll::Pending,
                Answer::Pending {
                    deadline: Some(deadline),
                } => ready!(self.poll_timer(deadline, cx)),
            }
        }
    }

    #[inline(never)]
    fn poll_timer(&mut self, deadline: u64, cx: &mut Context<'_>) -> Poll<()> {
        let Some(at) = self.door().clock().instant(deadline) else {
            return Poll::Pending;
        };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(at)));
        // A task that has used up its cooperative budget would be told
        // "pending" even of a timer that has fired, and miss the deadline.
        ready!(pin!(unconstrained(timer.as_mut())).poll(cx));
        // If the gate does not agree that it is time, the timer has been
        // carried into a runtime with another clock: that one counts now.
        timer.set(sleep_until(at));
        Poll::Ready(())
    }

    fn door(&self) -> &P::Door {
        let door = self.waiter.door();
        door.expect("only a waiter that was admitted has parted with it")
    }
}

impl<P: Pass> Drop for Waiting<P> {
    #[inline]
    fn drop(&mut self) {
        if let (Some(since), Some(door)) = (self.since.take(), self.waiter.door()) {
            door.reports().cancelled(since, Phase::Queued);
        }
    }
}
