//! `Limiter`, without a service around it: beside the semaphores.

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Waker};

use tower_inflight::{Limiter, Ticket};

use crate::line::{self, Line};
use crate::subject::Subject;

/// Tries to get a permit of a limiter with room for `limit`.
pub fn try_acquire(limit: usize) -> Subject {
    let limiter = Limiter::new(limit);
    Subject::repeated(move || limiter.try_acquire())
}

/// Tries to get a permit where there is none.
pub fn try_acquire_full() -> Subject {
    let limiter = Limiter::new(1);
    let held = limiter.try_acquire().expect("nobody has the permit");
    Subject::repeated(move || limiter.try_acquire()).keeping(held)
}

/// Waits for a permit of a limiter with room for `limit`, although it is there.
pub fn acquire(limit: usize) -> Subject {
    let limiter = Limiter::new(limit);
    Subject::repeated(move || {
        let acquire = pin!(limiter.acquire());
        let _permit = black_box(acquire.poll(&mut Context::from_waker(Waker::noop())));
    })
}

/// First come, first served.
pub fn line() -> impl Line {
    of_limiter(&Limiter::queued(1, usize::MAX))
}

/// By priority.
pub fn priority_line() -> impl Line {
    let settings = Limiter::builder()
        .max_concurrency(1)
        .queue_limit(usize::MAX)
        .use_priority_queue(true);
    of_limiter(&settings.build().expect("the settings are valid"))
}

fn of_limiter(limiter: &Limiter) -> impl Line + use<> {
    let (to_hold, to_join) = (limiter.clone(), limiter.clone());
    line::of_functions(
        move || to_hold.try_acquire().expect("nobody has the permit"),
        move |priority| to_join.acquire_with(Ticket::new().with_priority(priority)),
    )
}
