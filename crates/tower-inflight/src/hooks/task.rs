use std::fmt;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use pin_project::{pin_project, pinned_drop};

use super::guard::{REJECTION_HOOK, contain};
use crate::Rejection;
use crate::desk::Desk;

/// An async hook at work; it ends with the rejection that it was told of.
///
/// The lock is never taken: it is there because hooks need not be `Sync`, and
/// our futures are.
pub(crate) struct HookTask(Mutex<Pin<Box<dyn Future<Output = Rejection> + Send>>>);

impl HookTask {
    pub(super) fn new<F>(desk: &Desk, rejection: Rejection, future: F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self(Mutex::new(Box::pin(Contained {
            future: Some(future),
            rejection,
            desk: desk.clone(),
        })))
    }
}

impl Future for HookTask {
    type Output = Rejection;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Rejection> {
        let task = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        task.as_mut().poll(cx)
    }
}

impl fmt::Debug for HookTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookTask").finish_non_exhaustive()
    }
}

/// A hook's future, the panics of which end here. `None` once it has ended.
#[pin_project(PinnedDrop)]
struct Contained<F> {
    #[pin]
    future: Option<F>,
    rejection: Rejection,
    desk: Desk,
}

impl<F: Future<Output = ()>> Future for Contained<F> {
    type Output = Rejection;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Rejection> {
        let mut this = self.project();
        if let Some(future) = this.future.as_mut().as_pin_mut() {
            // A panic ends it as completion does.
            ready!(
                contain(this.desk, REJECTION_HOOK, || future.poll(cx)).unwrap_or(Poll::Ready(()))
            );
        }
        end(this.desk, this.future);
        Poll::Ready(*this.rejection)
    }
}

#[pinned_drop]
impl<F> PinnedDrop for Contained<F> {
    fn drop(self: Pin<&mut Self>) {
        let this = self.project();
        end(this.desk, this.future);
    }
}

fn end<F>(desk: &Desk, mut future: Pin<&mut Option<F>>) {
    contain(desk, REJECTION_HOOK, || future.set(None));
}
