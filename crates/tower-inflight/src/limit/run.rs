use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use inflight_core::Outcome;
use pin_project::pin_project;

use super::{Acquire, Permit};
use crate::Rejection;
use crate::door::Pass;
use crate::lease::watch;
use crate::unmeasured::Tenure;

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
pub struct Run<F, P: Pass = Permit> {
    /// `None` once it has ended. It stands first, so that it is destroyed
    /// before the place is given back.
    #[pin]
    work: Option<F>,
    place: Place<P>,
}

enum Place<P: Pass> {
    Asked(Acquire<P>),
    /// `None` after a panic.
    Held(Option<Tenure<P>>),
}

impl<F, P: Pass> Run<F, P> {
    pub(crate) fn new(acquire: Acquire<P>, work: F) -> Self {
        Self {
            work: Some(work),
            place: Place::Asked(acquire),
        }
    }
}

impl<F: Future, P: Pass> Future for Run<F, P> {
    type Output = Result<F::Output, Rejection>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            match this.place {
                Place::Asked(acquire) => match ready!(Pin::new(acquire).poll(cx)) {
                    Ok(permit) => *this.place = Place::Held(Some(Tenure::begin(permit))),
                    Err(rejection) => {
                        this.work.set(None);
                        *this.place = Place::Held(None);
                        return Poll::Ready(Err(rejection));
                    }
                },
                Place::Held(tenure) => {
                    let work = this.work.as_mut().as_pin_mut().filter(|_| tenure.is_some());
                    let work = work.expect("`Run` polled after it had ended");
                    let output = ready!(watch(tenure, || work.poll(cx)));
                    // Its destructor is its own code too.
                    watch(tenure, || this.work.set(None));
                    if let Some(mut tenure) = tenure.take() {
                        tenure.note(Outcome::Success);
                    }
                    return Poll::Ready(Ok(output));
                }
            }
        }
    }
}

impl<F, P: Pass + fmt::Debug> fmt::Debug for Run<F, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut run = f.debug_struct("Run");
        match &self.place {
            Place::Asked(acquire) => run.field("place", acquire),
            Place::Held(tenure) => run.field("permit", &tenure.as_ref().map(Tenure::held)),
        };
        run.finish_non_exhaustive()
    }
}
