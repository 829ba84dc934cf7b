use std::pin::Pin;
use std::task::{Context, Poll};

use inflight_core::{KeyedHost, KeyedPermit, KeyedWait, KeyedWaiter, Refusal};

/// A waiter of a keyed gate as a future, so that a [`Task`](crate::Task) can
/// poll it.
///
/// No timer wakes it at its deadline: it has to be polled then.
#[derive(Debug)]
#[must_use = "dropping it gives up the place in the line"]
pub struct KeyedQueued<H: KeyedHost>(KeyedWaiter<H>);

impl<H: KeyedHost> KeyedQueued<H> {
    /// Takes the waiter over, and does not poll it.
    pub fn new(waiter: KeyedWaiter<H>) -> Self {
        Self(waiter)
    }
}

impl<H: KeyedHost + Unpin> Future for KeyedQueued<H> {
    type Output = Result<KeyedPermit<H>, Refusal>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.0.poll(context.waker()) {
            KeyedWait::Admitted { permit, .. } => Poll::Ready(Ok(permit)),
            KeyedWait::Refused(refusal) => Poll::Ready(Err(refusal)),
            KeyedWait::Pending { .. } => Poll::Pending,
        }
    }
}
