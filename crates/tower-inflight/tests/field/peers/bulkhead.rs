//! Bulkheads and semaphores.

use std::task::{Context, Waker};

use inflight_test::{Script, Task};
use tokio::time::{Instant, sleep};
use tower::limit::GlobalConcurrencyLimitLayer;
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason, Ticket};

use crate::workshop::{expect, ms, patient, work_for};

// e5, e6: a layer that is applied twice is two limits.
#[test]
fn a_layer_that_is_applied_twice_is_one_limit() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .build()
        .unwrap();
    let mut first = layer.layer(script.service());
    let mut second = layer.layer(script.service());
    let _running = first.call(1);
    assert!(Task::new(second.call(2)).expect_ready().is_err());
}

// e6: the rejection of a full limit says that it timed out.
#[tokio::test(start_paused = true)]
async fn the_reason_is_what_has_happened() {
    let limiter = patient(1, 0, ms(1));
    let _held = limiter.try_acquire().unwrap();
    let start = Instant::now();
    let rejection = limiter.acquire().await.unwrap_err();
    assert_eq!(rejection.reason(), Reason::LimitReached);
    assert_eq!(start.elapsed(), ms(0), "at once, and not through a timer");
}

// e6: those who wait keep what the service inside has reserved for them.
#[tokio::test]
async fn those_who_wait_reserve_nothing_inside() {
    let inner = GlobalConcurrencyLimitLayer::new(5).layer(service_fn(work_for));
    let mut service = ConcurrencyLimitLayer::queued(1, 3).layer(inner.clone());
    let mut calls = Vec::new();
    for _ in 0..4 {
        let mut call = Task::new(service.ready().await.unwrap().call(1_000));
        call.expect_pending();
        calls.push(call);
    }
    let mut others = vec![inner; 4];
    for other in &mut others {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(other.poll_ready(&mut cx).is_ready());
    }
}

// e6: ten thousand callers all wait.
#[test]
fn a_line_is_as_long_as_it_was_built() {
    let limiter = Limiter::queued(1, 100);
    let calls: Vec<_> = (0..10_000).map(|_| limiter.acquire()).collect();
    expect(&limiter, 1, 100);
    drop(calls);
    expect(&limiter, 0, 0);
}

// e8: a release does not wake one who waits with a timeout.
#[tokio::test(start_paused = true)]
async fn a_release_serves_one_who_waits_with_a_timeout() {
    let limiter = patient(1, 1, ms(400));
    let held = limiter.try_acquire().unwrap();
    let start = Instant::now();
    let (served, ()) = tokio::join!(limiter.acquire(), async {
        sleep(ms(50)).await;
        drop(held);
    });
    assert!(served.is_ok());
    assert_eq!(start.elapsed(), ms(50));
}

// fifo: what is known of a heavy waiter, and what a lower limit takes.
#[test]
fn a_heavy_waiter_shows_and_a_lower_limit_is_not_forgotten() {
    let limiter = Limiter::queued(3, 2);
    let held = limiter.try_acquire().unwrap();
    let mut heavy = Task::new(limiter.acquire_with(Ticket::new().with_weight(3)));
    heavy.expect_pending();
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.available, snapshot.queued), (2, 1), "as it is");
    let impossible = Ticket::new().with_weight(5);
    let rejection = Task::new(limiter.acquire_with(impossible)).expect_ready();
    assert_eq!(rejection.unwrap_err().reason(), Reason::TooHeavy);

    limiter.set_limit(1).unwrap();
    let mut light = Task::new(limiter.acquire());
    light.expect_pending();
    drop(heavy);
    drop(held);
    let _served = light.expect_ready().unwrap();
    assert_eq!(limiter.snapshot().limit, 1);
    assert!(limiter.try_acquire().is_err());
}
