use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tower_inflight::{Limiter, Ticket};

/// Panics without the message of a panic.
pub(crate) fn explode() -> ! {
    resume_unwind(Box::new("exploded"))
}

#[track_caller]
pub(crate) fn expect_panic<T>(action: impl FnOnce() -> T) {
    let outcome = catch_unwind(AssertUnwindSafe(action));
    assert!(outcome.is_err(), "it has to panic");
}

#[track_caller]
pub(crate) fn expect(limiter: &Limiter, in_flight: usize, queued: usize) {
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.in_flight, snapshot.queued), (in_flight, queued));
}

/// That nothing was lost: all of the limit can be had, and no more.
#[track_caller]
pub(crate) fn expect_whole(limiter: &Limiter) {
    expect(limiter, 0, 0);
    let limit = limiter.snapshot().limit;
    let weight = u32::try_from(limit).expect("limits are small here");
    let all = limiter.try_acquire_with(Ticket::new().with_weight(weight));
    let all = all.expect("all of the limit is free");
    assert!(limiter.try_acquire().is_err());
    drop(all);
    expect(limiter, 0, 0);
}
