//! Timeouts, and clocks that do as they like.

use std::time::Duration;

use inflight_test::{Script, Task};
use tokio::time::{Instant, advance};
use tower::timeout::error::Elapsed;
use tower::{Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason, Ticket};

use crate::workshop::{expect, ms, patient, work_for};

// F67
#[tokio::test(start_paused = true)]
async fn the_longest_waits_neither_panic_nor_end_early() {
    // tokio's timer counts 2^36 milliseconds.
    let longest = [
        Duration::MAX,
        Duration::from_nanos(u64::MAX),
        ms((1 << 36) - 1),
        ms(1 << 36),
        ms(4_294_967_295),
    ];
    for max_wait in longest {
        let limiter = Limiter::queued(1, 1);
        let held = limiter.try_acquire().unwrap();
        let ticket = Ticket::new().with_max_wait(max_wait);
        let mut waiting = Task::new(limiter.acquire_with(ticket));
        waiting.expect_pending();
        advance(ms(4_294_967_294)).await;
        waiting.expect_pending();
        drop(held);
        assert!(waiting.expect_ready().is_ok(), "{max_wait:?}");
    }
}

// F69
#[tokio::test(start_paused = true)]
async fn the_wait_takes_nothing_from_the_time_of_the_work() {
    let limiter = patient(1, 1, ms(100));
    let mut service = ConcurrencyLimitLayer::from(limiter.clone()).layer(service_fn(work_for));
    let start = Instant::now();
    let held = limiter.try_acquire().unwrap();
    let call = service.call(50);
    let (answer, ()) = tokio::join!(call, async {
        tokio::time::sleep(ms(99)).await;
        drop(held);
    });
    assert_eq!(answer.unwrap(), 50);
    assert_eq!(start.elapsed(), ms(149));
}

// F73
#[tokio::test(start_paused = true)]
async fn a_jump_of_eight_hours_ends_the_wait_and_nothing_else() {
    const EIGHT_HOURS: Duration = Duration::from_secs(8 * 3_600);
    let limiter = patient(2, 2, ms(100));
    let running = [(); 2].map(|()| limiter.try_acquire().unwrap());
    let mut polled = Task::new(limiter.acquire());
    polled.expect_pending();
    let mut unpolled = Task::new(limiter.acquire());
    advance(EIGHT_HOURS).await;
    for late in [&mut polled, &mut unpolled] {
        let rejection = late.expect_ready().unwrap_err();
        assert_eq!(rejection.reason(), Reason::QueueTimeout);
        assert_eq!(rejection.waited(), EIGHT_HOURS);
    }
    expect(&limiter, 2, 0);

    // No jump at all: whoever is granted in time is.
    let mut waiting = Task::new(limiter.acquire());
    waiting.expect_pending();
    drop(running);
    assert!(waiting.expect_ready().is_ok());
}

// F75
#[tokio::test(start_paused = true)]
async fn a_timeout_outside_covers_a_wait_behind_a_long_call() {
    let script: Script<u64, u64, tower::BoxError> = Script::new();
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let service = ServiceBuilder::new()
        .timeout(ms(100))
        .layer(layer)
        .service(script.service());
    let _holder = limiter.try_acquire().unwrap();
    let start = Instant::now();
    let error = service.oneshot(2).await.unwrap_err();
    assert!(error.is::<Elapsed>());
    assert_eq!(start.elapsed(), ms(100));
    expect(&limiter, 1, 0);
}

// F47
#[tokio::test(start_paused = true)]
async fn one_who_is_starved_is_told_in_time() {
    let limiter = Limiter::builder()
        .max_concurrency(1)
        .queue_limit(4)
        .queue_timeout(ms(100))
        .use_priority_queue(true)
        .build()
        .unwrap();
    let urgent = |limiter: Limiter| async move {
        loop {
            let ticket = Ticket::new().with_priority(9);
            let _permit = limiter.acquire_with(ticket).await.unwrap();
            tokio::time::sleep(ms(7)).await;
        }
    };
    let load: [tokio::task::JoinHandle<()>; 3] =
        [(); 3].map(|()| tokio::spawn(urgent(limiter.clone())));
    tokio::task::yield_now().await;
    let start = Instant::now();
    let rejection = limiter.acquire().await.unwrap_err();
    assert_eq!(rejection.reason(), Reason::QueueTimeout);
    assert_eq!(start.elapsed(), ms(100));
    load.iter().for_each(tokio::task::JoinHandle::abort);
}
