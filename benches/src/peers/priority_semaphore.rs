//! `priority-semaphore`, without a service around it.

use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use priority_semaphore::PrioritySemaphore;

use crate::line::{self, Line};
use crate::subject::Subject;

/// With `permits` permits.
pub fn new(permits: usize) -> Arc<PrioritySemaphore> {
    Arc::new(PrioritySemaphore::new(permits))
}

/// Tries to get one of `permits` permits, none of which may be there.
pub fn try_acquire(permits: usize) -> Subject {
    let semaphore = new(permits);
    Subject::repeated(move || {
        let _permit = black_box(semaphore.try_acquire(0));
    })
}

/// Waits for one of `permits` permits, although it is there.
pub fn acquire(permits: usize) -> Subject {
    let semaphore = new(permits);
    Subject::repeated(move || {
        let acquire = pin!(semaphore.acquire(0));
        let _permit = black_box(acquire.poll(&mut Context::from_waker(Waker::noop())));
    })
}

/// Waits by priority, without a bound.
pub fn line() -> impl Line {
    let semaphore = new(1);
    let of_hold = Arc::clone(&semaphore);
    line::of_functions(
        move || of_hold.try_acquire(0).expect("nobody has the permit"),
        move |priority| semaphore.acquire(priority),
    )
}
