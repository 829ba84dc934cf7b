//! Limits with fallbacks in the midst of tower's own layers.

use std::time::Duration;

use inflight_test::Task;
use tokio::time::{Instant, advance, sleep};
use tower::buffer::Buffer;
use tower::timeout::error::Elapsed;
use tower::{BoxError, Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::{
    AdaptiveAimdLayer, ConcurrencyLimitLayer, Limiter, PriorityQueueLayer, Rejected, Rejection,
};

use crate::wreck::{expect, expect_whole};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

async fn work_for(millis: u64) -> Result<u64, BoxError> {
    sleep(ms(millis)).await;
    Ok(millis)
}

/// A tenth of the time.
async fn in_short(rejected: Rejected<u64>) -> Result<u64, BoxError> {
    work_for(rejected.request / 10).await
}

#[tokio::test(start_paused = true)]
async fn a_timeout_outside_bounds_the_wait_and_the_fallback() {
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(ms(60))
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = ServiceBuilder::new()
        .timeout(ms(100))
        .layer(layer.fallback(service_fn(in_short)))
        .service(service_fn(work_for));
    let held = limiter.try_acquire().unwrap();
    let start = Instant::now();
    let waited = service.ready().await.unwrap().call(300).await.unwrap();
    assert_eq!((waited, start.elapsed()), (30, ms(90)));

    let start = Instant::now();
    let error = service.ready().await.unwrap().call(500).await.unwrap_err();
    assert!(error.is::<Elapsed>());
    assert_eq!(start.elapsed(), ms(100), "60 of wait and 40 of 50");
    expect(&limiter, 1, 0);
    drop(held);
    expect_whole(&limiter);
}

/// `Buffer` dies of a readiness error, and runs its calls in one task.
#[tokio::test(start_paused = true)]
async fn buffers_around_inside_and_behind_lose_nothing() {
    let layer = PriorityQueueLayer::new(2, 2, |millis: &u64| i32::try_from(*millis).unwrap());
    let limiter = layer.limiter();
    let fallback = ServiceBuilder::new()
        .buffer(1)
        .service(service_fn(in_short));
    let service = ServiceBuilder::new()
        .buffer(1)
        .layer(layer.fallback(fallback))
        .buffer(1)
        .service(service_fn(work_for));
    for round in 0..20 {
        let mut calls: Vec<_> = (1..=8)
            .map(|call| Task::new(service.clone().oneshot(call * 10)))
            .collect();
        for _ in 0..round {
            for call in &mut calls {
                if call.is_woken() || call.polls() == 0 {
                    let _ = call.poll();
                }
            }
            tokio::task::yield_now().await;
        }
        drop(calls);
        // What was cancelled is thrown away as soon as a worker sees it.
        limiter.drained().await;
        let answer = service.clone().oneshot(50).await.unwrap();
        assert_eq!(answer, 50);
    }
    limiter.drained().await;
    expect_whole(&limiter);
}

/// A limit behind a limit, which is shed behind that.
#[tokio::test(start_paused = true)]
async fn a_fallback_may_have_a_limit_of_its_own() {
    let behind = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .name("behind")
        .build()
        .unwrap();
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(1)
        .max_limit(1)
        .build()
        .unwrap();
    let limiters: [Limiter; 2] = [layer.limiter(), behind.limiter()];
    let fallback = ServiceBuilder::new()
        .map_err(BoxError::from)
        .layer(behind)
        .service(service_fn(in_short));
    let mut service = ServiceBuilder::new()
        .layer(layer.fallback(fallback))
        .load_shed()
        .service(service_fn(work_for));
    let mut calls: Vec<_> = (0..3).map(|_| Task::new(service.call(100))).collect();
    calls[0].expect_pending();
    calls[1].expect_pending();
    let error = calls[2].expect_ready().unwrap_err();
    let error = error.into_service().unwrap();
    let rejection: &Rejection = error.downcast_ref().unwrap();
    assert_eq!(rejection.name(), Some("behind"));
    expect(&limiters[0], 1, 0);
    expect(&limiters[1], 1, 0);

    advance(ms(10)).await;
    assert_eq!(calls[1].expect_ready().unwrap(), 10);
    expect(&limiters[1], 0, 0);
    advance(ms(90)).await;
    assert_eq!(calls[0].expect_ready().unwrap(), 100);
    limiters.iter().for_each(expect_whole);
}

/// It holds a permit while it waits for its service; the others do not wait.
#[tokio::test(start_paused = true)]
async fn a_service_that_is_not_ready_for_a_while_leaves_the_others_their_fallback() {
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let inner = Buffer::new(service_fn(work_for), 1);
    let mut slow: Vec<_> = (0..2)
        .map(|_| Task::new(inner.clone().oneshot(100)))
        .collect();
    slow.iter_mut().for_each(Task::expect_pending);
    let mut service = layer.fallback(service_fn(in_short)).layer(inner);
    let mut first = Task::new(service.call(70));
    first.expect_pending();
    expect(&limiter, 1, 0);
    for _ in 0..3 {
        assert_eq!(service.call(100).await.unwrap(), 10);
        expect(&limiter, 1, 0);
    }
    drop(first);
    expect_whole(&limiter);
    drop(slow);
}
