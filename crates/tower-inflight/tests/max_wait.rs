//! Requests that say how long they may wait.

use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task};
use tokio::time::{Instant, advance};
use tower::{Layer, Service};
use tower_inflight::{AdaptiveLayer, ConcurrencyLimitLayer, Limiter, PriorityQueueLayer, Reason};

/// What is left of its deadline, in milliseconds.
type Request = Option<u64>;
type Inner = ScriptedService<Request, u32, &'static str>;

fn left(request: &Request) -> Option<Duration> {
    request.map(Duration::from_millis)
}

fn script() -> (Script<Request, u32, &'static str>, Inner) {
    let script = Script::new();
    let service = script.service();
    (script, service)
}

#[tokio::test(start_paused = true)]
async fn nobody_is_admitted_after_its_caller_has_given_up() {
    let (script, inner) = script();
    let layer = ConcurrencyLimitLayer::queued(1, 3).with_max_wait(left);
    let held = layer.limiter().try_acquire().unwrap();
    let mut service = layer.layer(inner);
    let mut patient = Task::new(service.call(None));
    patient.expect_pending();
    let start = Instant::now();
    let error = service.call(Some(40)).await.unwrap_err();
    let rejection = error.rejection().unwrap();
    assert_eq!(rejection.reason(), Reason::QueueTimeout);
    assert_eq!(
        (rejection.waited(), start.elapsed().as_millis()),
        (start.elapsed(), 40)
    );
    drop(held);
    patient.expect_pending();
    assert_eq!(script.requests(), [None]);
}

#[tokio::test(start_paused = true)]
async fn the_smaller_of_it_and_the_queue_timeout_counts() {
    let (_script, inner) = script();
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(Duration::from_millis(100))
        .max_wait(left)
        .build()
        .unwrap();
    let _held = layer.limiter().try_acquire().unwrap();
    let mut service = layer.layer(inner);
    for (asked, waited) in [(Some(30), 30), (Some(900), 100), (None, 100)] {
        let error = service.call(asked).await.unwrap_err();
        let waited = Duration::from_millis(waited);
        assert_eq!(error.rejection().unwrap().waited(), waited, "{asked:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn with_nothing_left_it_is_turned_away_even_where_there_is_room() {
    let (script, inner) = script();
    let mut service = AdaptiveLayer::from(Limiter::new(1))
        .with_max_wait(left)
        .layer(inner);
    let error = Task::new(service.call(Some(0))).expect_ready().unwrap_err();
    let rejection = error.rejection().unwrap();
    assert_eq!(
        (rejection.reason(), rejection.in_flight()),
        (Reason::QueueTimeout, 0)
    );
    assert!(script.requests().is_empty());
}

#[tokio::test(start_paused = true)]
async fn it_goes_with_priority_and_weight_in_any_order_of_the_setters() {
    let (_script, inner) = script();
    let layer = PriorityQueueLayer::builder(|request: &Request| i32::from(request.is_none()))
        .max_concurrency(2)
        .queue_limit(2)
        .max_wait(left)
        .weight(|_: &Request| 2)
        .exempt(|_: &Request| false)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let held = limiter.try_acquire().unwrap();
    let mut service = layer.layer(inner);
    let mut hasty = Task::new(service.call(Some(50)));
    let mut urgent = Task::new(service.call(None));
    hasty.expect_pending();
    urgent.expect_pending();
    assert_eq!(limiter.queued_by_priority(), [(0, 1), (1, 1)].into());
    drop(held);
    urgent.expect_pending();
    assert_eq!(limiter.snapshot().in_flight, 2, "the urgent one weighs two");
    advance(Duration::from_millis(50)).await;
    let error = hasty.expect_ready().unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::QueueTimeout);
}
