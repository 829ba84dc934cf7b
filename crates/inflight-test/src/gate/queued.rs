use std::pin::Pin;
use std::task::{Context, Poll};

use inflight_core::{Host, Permit, Refusal, Wait, Waiter};

/// A waiter as a future, so that a [`Task`](crate::Task) can poll it.
///
/// No timer wakes it at its deadline: it has to be polled then.
#[derive(Debug)]
#[must_use = "dropping it gives up the place in the line"]
pub struct Queued<H: Host>(Waiter<H>);

impl<H: Host> Queued<H> {
    /// Takes the waiter over, and does not poll it.
    pub fn new(waiter: Waiter<H>) -> Self {
        Self(waiter)
    }
}

impl<H: Host + Unpin> Future for Queued<H> {
    type Output = Result<Permit<H>, Refusal>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.0.poll(context.waker()) {
            Wait::Admitted { permit, .. } => Poll::Ready(Ok(permit)),
            Wait::Refused(refusal) => Poll::Ready(Err(refusal)),
            Wait::Pending { .. } => Poll::Pending,
        }
    }
}
