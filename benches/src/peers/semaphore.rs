//! `tokio::sync::Semaphore`, without a service around it.

use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use tokio::sync::Semaphore;

use crate::line::{self, Line};
use crate::subject::Subject;

/// With `permits` permits.
pub fn new(permits: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(permits))
}

/// Tries to get one of `permits` permits, none of which may be there.
pub fn try_acquire(permits: usize) -> Subject {
    let semaphore = new(permits);
    Subject::repeated(move || {
        let _permit = black_box(semaphore.try_acquire());
    })
}

/// Waits for one of `permits` permits, although it is there.
pub fn acquire(permits: usize) -> Subject {
    let semaphore = new(permits);
    Subject::repeated(move || {
        let acquire = pin!(Arc::clone(&semaphore).acquire_owned());
        let _permit = black_box(acquire.poll(&mut Context::from_waker(Waker::noop())));
    })
}

/// Waits in `acquire_owned`, without a bound.
pub fn line() -> impl Line {
    let semaphore = new(1);
    let of_hold = Arc::clone(&semaphore);
    line::of_functions(
        move || {
            Arc::clone(&of_hold)
                .try_acquire_owned()
                .expect("nobody has the permit")
        },
        move |_| Arc::clone(&semaphore).acquire_owned(),
    )
}
