use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project::pin_project;

use super::{Acquire, Permit};
use crate::Rejection;
use crate::lease::watch;

/// Work that runs once it is admitted, and holds a permit while it does.
///
/// The permit is given back as soon as the work is *done*, not when this
/// future is dropped; the work is destroyed before. Work that is rejected is
/// never polled.
///
/// # Errors
///
/// The [`Rejection`].
///
/// # Panics
///
/// If it is polled after it has ended, or after the work has panicked in it;
/// if it waits with a timeout and is polled outside a tokio runtime. The
/// limiter loses nothing by either.
///
/// # Cancel safety
///
/// Dropping it frees the place, or ends the work and gives the permit back.
#[pin_project]
#[must_use = "a `Run` holds a place from the moment it is made, and gives it up when dropped"]
pub struct Run<F> {
    /// `None` once it has ended. It stands first, so that it is destroyed
    /// before the place is given back.
    #[pin]
    work: Option<F>,
    place: Place,
}

enum Place {
    Asked(Acquire),
    /// `None` after a panic.
    Held(Option<Permit>),
}

impl<F> Run<F> {
    pub(super) fn new(acquire: Acquire, work: F) -> Self {
        Self {
            work: Some(work),
            place: Place::Asked(acquire),
        }
    }
}

impl<F: Future> Future for Run<F> {
    type Output = Result<F::Output, Rejection>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            match this.place {
                Place::Asked(acquire) => match ready!(Pin::new(acquire).poll(cx)) {
                    Ok(permit) => *this.place = Place::Held(Some(permit)),
                    Err(rejection) => {
                        this.work.set(None);
                        *this.place = Place::Held(None);
                        return Poll::Ready(Err(rejection));
                    }
                },
                Place::Held(permit) => {
                    let work = this.work.as_mut().as_pin_mut().filter(|_| permit.is_some());
                    let work = work.expect("`Run` polled after it had ended");
                    let output = ready!(watch(permit, || work.poll(cx)));
                    // Its destructor is its own code too.
                    watch(permit, || this.work.set(None));
                    *permit = None;
                    return Poll::Ready(Ok(output));
                }
            }
        }
    }
}

impl<F> fmt::Debug for Run<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut run = f.debug_struct("Run");
        match &self.place {
            Place::Asked(acquire) => run.field("place", acquire),
            Place::Held(permit) => run.field("permit", permit),
        };
        run.finish_non_exhaustive()
    }
}
