//! What a rejection says, for each reason.

use std::error::Error as StdError;
use std::time::Duration;

use inflight_test::Task;
use tower_inflight::builder::LimiterBuilder;
use tower_inflight::{Limiter, Reason, Rejection, Ticket};

fn search() -> LimiterBuilder {
    Limiter::builder()
        .max_concurrency(2)
        .queue_limit(1)
        .name("search")
}

#[track_caller]
fn says(rejection: &Rejection, reason: Reason, text: &str) {
    assert_eq!(rejection.reason(), reason);
    assert_eq!(rejection.to_string(), text);
}

#[test]
fn limit_reached() {
    let limiter = Limiter::new(2);
    let _held = limiter
        .try_acquire_with(Ticket::new().with_weight(2))
        .unwrap();
    says(
        &limiter.try_acquire().unwrap_err(),
        Reason::LimitReached,
        "concurrency limit rejected the call: limit reached (2 of 2 running)",
    );
}

#[test]
fn queue_full() {
    let limiter = search().build().unwrap();
    let _held = limiter
        .try_acquire_with(Ticket::new().with_weight(2))
        .unwrap();
    let _waiting = limiter.acquire();
    let rejection = Task::new(limiter.acquire()).expect_ready().unwrap_err();
    says(
        &rejection,
        Reason::QueueFull,
        "concurrency limit `search` rejected the call: queue full \
         (2 of 2 running, 1 of 1 queued)",
    );
    assert_eq!((rejection.limit(), rejection.in_flight()), (2, 2));
    assert_eq!((rejection.queue_limit(), rejection.queued()), (1, 1));
    assert_eq!(rejection.waited(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn queue_timeout() {
    let limiter = search()
        .queue_timeout(Duration::from_millis(1_500))
        .build()
        .unwrap();
    let _held = limiter
        .try_acquire_with(Ticket::new().with_weight(2))
        .unwrap();
    says(
        &limiter.acquire().await.unwrap_err(),
        Reason::QueueTimeout,
        "concurrency limit `search` rejected the call: queue timeout after 1.5s \
         (2 of 2 running, 0 of 1 queued)",
    );
}

#[test]
fn queue_evicted() {
    let limiter = search().use_priority_queue(true).build().unwrap();
    let _held = limiter
        .try_acquire_with(Ticket::new().with_weight(2))
        .unwrap();
    let mut evicted = Task::new(limiter.acquire());
    let _higher = limiter.acquire_with(Ticket::new().with_priority(1));
    says(
        &evicted.expect_ready().unwrap_err(),
        Reason::QueueEvicted,
        "concurrency limit `search` rejected the call: evicted from the queue by a higher \
         priority (2 of 2 running, 0 of 1 queued)",
    );
}

#[test]
fn closed() {
    let limiter = search().build().unwrap();
    limiter.close();
    says(
        &limiter.try_acquire().unwrap_err(),
        Reason::Closed,
        "concurrency limit `search` rejected the call: closed",
    );
}

#[test]
fn too_heavy() {
    let limiter = search().build().unwrap();
    says(
        &limiter
            .try_acquire_with(Ticket::new().with_weight(3))
            .unwrap_err(),
        Reason::TooHeavy,
        "concurrency limit `search` rejected the call: heavier than the limit of 2 can become",
    );
}

#[test]
fn it_is_small_and_copied_and_an_error_of_its_own() {
    fn check<T: Copy + Send + Sync + StdError + 'static>(value: T) -> T {
        value
    }
    assert!(size_of::<Rejection>() <= 48);
    assert!(!std::mem::needs_drop::<Rejection>());
    let heavy = Ticket::new().with_weight(2);
    let rejection = check(Limiter::new(1).try_acquire_with(heavy).unwrap_err());
    assert!(rejection.source().is_none());
    assert!(format!("{rejection:?}").contains("TooHeavy"));
}
