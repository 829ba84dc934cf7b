use std::panic;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tower::Service;

use super::errand::{End, Errand, Mishap};
use super::faults::Faults;
use super::floor::{Floor, Presence};
use super::invariant::Invariant;

/// The service that is limited. A clone is never ready at the first poll, and
/// each call takes a readiness of its own.
#[derive(Debug)]
pub(crate) struct Workshop {
    floor: Arc<Floor>,
    faults: Arc<Faults>,
    readiness: Readiness,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Readiness {
    Fresh,
    Coming,
    Ready,
}

impl Workshop {
    pub(crate) fn new(floor: Arc<Floor>, faults: Arc<Faults>) -> Self {
        Self {
            floor,
            faults,
            readiness: Readiness::Fresh,
        }
    }
}

impl Service<Errand> for Workshop {
    type Response = ();
    type Error = Mishap;
    type Future = Work;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Mishap>> {
        if self.readiness == Readiness::Fresh {
            self.readiness = Readiness::Coming;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.readiness = Readiness::Ready;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, errand: Errand) -> Work {
        if self.readiness != Readiness::Ready {
            let readiness = self.readiness;
            self.faults.report(Invariant::Readied, || {
                format!("the service was called while its readiness was {readiness:?}")
            });
        }
        // The next is at hand: only clones keep their callers waiting.
        self.readiness = Readiness::Coming;
        Work::begin(&self.floor, errand)
    }
}

/// A clone starts empty.
impl Clone for Workshop {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.floor), Arc::clone(&self.faults))
    }
}

/// An errand that is being done.
#[derive(Debug)]
pub(crate) struct Work {
    /// `None` after a panic: whoever panics is gone.
    presence: Option<Presence>,
    pauses: u8,
    end: End,
}

impl Work {
    /// Comes in and begins.
    ///
    /// # Panics
    ///
    /// If the errand says so; not by the panic hook, which would print it.
    pub(crate) fn begin(floor: &Arc<Floor>, errand: Errand) -> Self {
        let presence = floor.enter(errand.weight);
        if errand.end == End::PanicAtOnce {
            panic::resume_unwind(Box::new(Mishap));
        }
        Self {
            presence: Some(presence),
            pauses: errand.pauses,
            end: errand.end,
        }
    }
}

impl Future for Work {
    type Output = Result<(), Mishap>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.pauses > 0 {
            self.pauses -= 1;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        match self.end {
            End::Answer => Poll::Ready(Ok(())),
            End::Error => Poll::Ready(Err(Mishap)),
            End::Panic | End::PanicAtOnce => {
                self.presence = None;
                panic::resume_unwind(Box::new(Mishap))
            }
        }
    }
}
