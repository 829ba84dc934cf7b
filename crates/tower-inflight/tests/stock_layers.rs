//! With tower's own layers around and inside: what each order means.

use std::future::{Ready, ready};
use std::time::Duration;

use inflight_test::{Script, Task};
use tokio::time::{Instant, advance, sleep};
use tower::buffer::Buffer;
use tower::retry::Policy;
use tower::timeout::error::Elapsed;
use tower::{BoxError, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Error, Reason, Rejection};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A service that works for as long as it is told.
async fn work_for(millis: u64) -> Result<u64, BoxError> {
    sleep(ms(millis)).await;
    Ok(millis)
}

fn reason(error: &BoxError) -> Option<Reason> {
    error.downcast_ref::<Rejection>().map(Rejection::reason)
}

#[tokio::test(start_paused = true)]
async fn a_timeout_outside_bounds_the_wait_and_the_work() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let mut service = ServiceBuilder::new()
        .timeout(ms(100))
        .layer(layer)
        .service(service_fn(work_for));
    let held = limiter.try_acquire().unwrap();
    let start = Instant::now();
    let waiting = service.ready().await.unwrap().call(1);
    assert!(waiting.await.unwrap_err().is::<Elapsed>());
    assert_eq!(start.elapsed(), ms(100));
    assert_eq!(limiter.snapshot().queued, 0, "its place is free");

    let both = service.ready().await.unwrap().call(60);
    let (outcome, ()) = tokio::join!(both, async {
        sleep(ms(50)).await;
        drop(held);
    });
    assert!(
        outcome.unwrap_err().is::<Elapsed>(),
        "50 ms of wait and 60 of work"
    );
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_inside_bounds_the_work_alone() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let mut service = ServiceBuilder::new()
        .layer(layer)
        .timeout(ms(100))
        .service(service_fn(work_for));
    let held = limiter.try_acquire().unwrap();
    let call = service.ready().await.unwrap().call(60);
    let (outcome, ()) = tokio::join!(call, async {
        sleep(ms(500)).await;
        drop(held);
    });
    assert_eq!(outcome.unwrap(), 60);

    let error = service.ready().await.unwrap().call(200).await.unwrap_err();
    assert!(error.into_service().unwrap().is::<Elapsed>());
    assert_eq!(limiter.snapshot().in_flight, 0);
}

/// Tries three times, with a pause of 100 ms.
#[derive(Clone)]
struct Thrice {
    left: usize,
    rejections_too: bool,
}

impl<T> Policy<u64, T, BoxError> for Thrice {
    type Future = tokio::time::Sleep;

    fn retry(&mut self, _: &mut u64, result: &mut Result<T, BoxError>) -> Option<Self::Future> {
        let error = result.as_ref().err()?;
        if error.is::<Rejection>() && !self.rejections_too {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        Some(sleep(ms(100)))
    }

    fn clone_request(&mut self, request: &u64) -> Option<u64> {
        Some(*request)
    }
}

/// With the error type that the stock layers agree on.
fn boxed<E: Into<BoxError>>(error: E) -> BoxError {
    error.into()
}

const THRICE: Thrice = Thrice {
    left: 2,
    rejections_too: false,
};

#[tokio::test(start_paused = true)]
async fn a_retry_outside_holds_nothing_while_it_pauses() {
    let script: Script<u64, u64, BoxError> = Script::new();
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let service = ServiceBuilder::new()
        .retry(THRICE)
        .map_err(boxed)
        .layer(layer)
        .service(script.service());
    let mut call = Task::new(service.oneshot(1));
    for attempt in 0..3 {
        call.expect_pending();
        assert_eq!(limiter.snapshot().in_flight, 1);
        script.work().finish(attempt, Err("failed".into()));
        if attempt == 2 {
            break;
        }
        call.expect_pending();
        assert_eq!(limiter.snapshot().in_flight, 0);
        advance(ms(100)).await;
    }
    assert_eq!(call.expect_ready().unwrap_err().to_string(), "failed");
    assert_eq!(script.requests(), [1, 1, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_retry_inside_holds_the_permit_for_the_whole_loop() {
    let script: Script<u64, u64, BoxError> = Script::new();
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let service = ServiceBuilder::new()
        .layer(layer)
        .retry(THRICE)
        .service(script.service());
    let mut call = Task::new(service.oneshot(1));
    call.expect_pending();
    script.work().finish(0, Err("failed".into()));
    call.expect_pending();
    assert_eq!(limiter.snapshot().in_flight, 1, "it pauses");
    advance(ms(100)).await;
    script.work().finish(1, Ok(7));
    assert_eq!(call.expect_ready().unwrap(), 7);
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[tokio::test(start_paused = true)]
async fn a_rejection_is_retried_if_the_policy_says_so_and_not_otherwise() {
    for (rejections_too, elapsed) in [(false, ms(0)), (true, ms(200))] {
        let layer = ConcurrencyLimitLayer::new(1);
        let _held = layer.limiter().try_acquire().unwrap();
        let service = ServiceBuilder::new()
            .retry(Thrice {
                left: 2,
                rejections_too,
            })
            .map_err(boxed)
            .layer(layer)
            .service(service_fn(work_for));
        let start = Instant::now();
        let error = service.oneshot(1).await.unwrap_err();
        assert_eq!(reason(&error), Some(Reason::LimitReached));
        assert_eq!(start.elapsed(), elapsed);
    }
}

#[tokio::test(start_paused = true)]
async fn load_shed_outside_has_nothing_to_shed() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let mut service = ServiceBuilder::new()
        .load_shed()
        .layer(layer)
        .service(service_fn(work_for));
    let held = limiter.try_acquire().unwrap();
    let waiting = service.ready().await.unwrap().call(1);
    let rejected = service.ready().await.unwrap().call(2);
    let error = rejected.await.unwrap_err();
    assert_eq!(reason(&error), Some(Reason::QueueFull));
    drop(held);
    assert_eq!(waiting.await.unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn load_shed_inside_sheds_what_was_admitted() {
    let script: Script<u64, u64, BoxError> = Script::new();
    script.set_ready_at_once(0);
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let service = ServiceBuilder::new()
        .layer(layer)
        .load_shed()
        .service(script.service());
    let error = service
        .oneshot(1)
        .await
        .unwrap_err()
        .into_service()
        .unwrap();
    assert!(error.is::<tower::load_shed::error::Overloaded>());
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[tokio::test(start_paused = true)]
async fn a_buffer_outside_survives_rejections() {
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let inner = ServiceBuilder::new()
        .layer(layer)
        .service(service_fn(work_for));
    let mut service = Buffer::new(inner, 8);
    let held = limiter.try_acquire().unwrap();
    for _ in 0..3 {
        let error = service.ready().await.unwrap().call(1).await.unwrap_err();
        assert_eq!(reason(&error), Some(Reason::LimitReached));
    }
    drop(held);
    assert_eq!(service.ready().await.unwrap().call(5).await.unwrap(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_buffer_inside_is_not_occupied_by_those_who_wait() {
    let layer = ConcurrencyLimitLayer::queued(1, 8);
    let limiter = layer.limiter();
    let buffer = Buffer::new(service_fn(work_for), 1);
    let mut service = ServiceBuilder::new().layer(layer).service(buffer.clone());
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Vec::new();
    for _ in 0..4 {
        let mut call = Task::new(service.ready().await.unwrap().call(5));
        call.expect_pending();
        waiting.push(call);
    }
    // Were a place in the buffer reserved by any of them, this would hang.
    assert_eq!(buffer.oneshot(1).await.unwrap(), 1);
    drop(held);
    assert_eq!(limiter.snapshot().queued, 3);
}

#[tokio::test]
async fn a_stock_limit_inside_is_not_occupied_by_those_who_wait() {
    let layer = ConcurrencyLimitLayer::queued(1, 8);
    let limiter = layer.limiter();
    let stock = tower::limit::ConcurrencyLimit::new(service_fn(work_for), 1);
    let mut service = ServiceBuilder::new().layer(layer).service(stock.clone());
    service.ready().await.unwrap();
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(service.call(5));
    waiting.expect_pending();
    assert_eq!(stock.oneshot(0).await.unwrap(), 0);
    drop(held);
}

#[tokio::test]
async fn nested_limiters_are_found_through_all_boxes() {
    let (outer, inner) = (ConcurrencyLimitLayer::new(2), ConcurrencyLimitLayer::new(1));
    let held = inner.limiter().try_acquire().unwrap();
    let service = ServiceBuilder::new()
        .boxed_clone()
        .timeout(ms(1_000))
        .layer(outer.clone())
        .layer(inner)
        .service(service_fn(work_for));
    let error = service.clone().oneshot(1).await.unwrap_err();
    let rejection = error.downcast_ref::<Rejection>().unwrap();
    assert_eq!(rejection.limit(), 1, "the inner one's");
    assert_eq!(outer.limiter().snapshot().in_flight, 0);
    drop(held);

    outer.limiter().close();
    let error = service.oneshot(1).await.unwrap_err();
    assert_eq!(reason(&error), Some(Reason::Closed));
}

#[test]
fn an_error_boxes_into_what_it_holds() {
    use std::error::Error as StdError;

    let nested: Error<Error<std::fmt::Error>> = Error::Service(Error::Service(std::fmt::Error));
    let boxed: BoxError = nested.into();
    assert!(boxed.is::<std::fmt::Error>());
    let nested: Error<Error<std::fmt::Error>> = Error::Service(Error::Service(std::fmt::Error));
    let boxed: Box<dyn StdError> = nested.into();
    assert!(boxed.is::<std::fmt::Error>());
}

/// It compiles where the stock layer stood, apart from the error.
#[tokio::test]
async fn it_takes_the_place_of_the_stock_layer() {
    fn respond(number: u64) -> Ready<Result<u64, BoxError>> {
        ready(Ok(number))
    }

    let stock = ServiceBuilder::new()
        .layer(tower::limit::ConcurrencyLimitLayer::new(10))
        .service(service_fn(respond));
    let ours = ServiceBuilder::new()
        .layer(ConcurrencyLimitLayer::new(10))
        .service(service_fn(respond));
    assert_eq!(
        stock.oneshot(1).await.unwrap(),
        ours.oneshot(1).await.unwrap()
    );
}
