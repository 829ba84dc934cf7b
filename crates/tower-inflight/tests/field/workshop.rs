use std::time::Duration;

use tower::BoxError;
use tower_inflight::{Limiter, Reason, Rejection};

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A service that works for as long as it is told.
pub(crate) async fn work_for(millis: u64) -> Result<u64, BoxError> {
    tokio::time::sleep(ms(millis)).await;
    Ok(millis)
}

/// Why an error that was boxed on its way is a rejection, if it is one.
pub(crate) fn reason(error: &BoxError) -> Option<Reason> {
    error.downcast_ref::<Rejection>().map(Rejection::reason)
}

/// A limiter at which nobody waits longer than `timeout`.
pub(crate) fn patient(max_concurrency: usize, queue_limit: usize, timeout: Duration) -> Limiter {
    Limiter::builder()
        .max_concurrency(max_concurrency)
        .queue_limit(queue_limit)
        .queue_timeout(timeout)
        .build()
        .unwrap()
}

#[track_caller]
pub(crate) fn expect(limiter: &Limiter, in_flight: usize, queued: usize) {
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.in_flight, snapshot.queued), (in_flight, queued));
}
