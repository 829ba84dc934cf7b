//! The least that a limit can do: one compare-exchange in, one subtraction out, and for who waits
//! a list behind a lock.

mod ring;

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tower::Service;

use self::ring::Ring;
use crate::inner::{Answer, Inner, Request};
use crate::line::{self, Line};

/// A counter that lives as long as the program, so that nothing counts references to it.
#[derive(Clone, Debug)]
pub struct Floor {
    in_flight: &'static AtomicUsize,
    limit: usize,
    inner: Inner,
}

/// With room for `limit` calls.
pub fn service(limit: usize) -> Floor {
    Floor {
        in_flight: Box::leak(Box::new(AtomicUsize::new(0))),
        limit,
        inner: Inner,
    }
}

/// With no room, ever.
pub fn full() -> Floor {
    service(0)
}

/// Callers in the order in which they came. Nobody grants them anything: they are done when they
/// are polled again.
pub fn line() -> impl Line {
    let ring = Arc::new(Mutex::new(Ring::new()));
    line::of_functions(
        || (),
        move |_| Queued {
            ring: Arc::clone(&ring),
            place: None,
        },
    )
}

impl Service<Request> for Floor {
    type Response = u64;
    type Error = Full;
    type Future = Admitted;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Full>> {
        self.inner
            .poll_ready(context)
            .map_err(|never| match never {})
    }

    fn call(&mut self, request: Request) -> Admitted {
        let enter = |in_flight| (in_flight < self.limit).then_some(in_flight + 1);
        let entered = self
            .in_flight
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, enter);
        Admitted {
            answer: self.inner.call(request),
            permit: entered.ok().map(|_| Permit(self.in_flight)),
        }
    }
}

/// The future of [`Floor`].
#[derive(Debug)]
pub struct Admitted {
    answer: Answer,
    permit: Option<Permit>,
}

impl Future for Admitted {
    type Output = Result<u64, Full>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.permit.is_none() {
            return Poll::Ready(Err(Full));
        }
        let answer = Pin::new(&mut self.answer).poll(context);
        answer.map_err(|never| match never {})
    }
}

/// What the floor says when it has no room.
#[derive(Clone, Copy, Debug)]
pub struct Full;

#[derive(Debug)]
struct Permit(&'static AtomicUsize);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

#[derive(Debug)]
struct Queued {
    ring: Arc<Mutex<Ring>>,
    place: Option<usize>,
}

impl Queued {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Future for Queued {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.place.is_some() {
            return Poll::Ready(());
        }
        let place = self.ring().join(context.waker().clone());
        self.place = Some(place);
        Poll::Pending
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            let waker = self.ring().leave(place);
            drop(waker);
        }
    }
}
