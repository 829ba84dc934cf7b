//! Limiters the limit of which moves; here it is moved by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use inflight_test::{Script, Task};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::workshop::{expect, ms, work_for};

// e4, acc1: a limit that is lowered while callers wait stays what it was.
#[tokio::test(start_paused = true)]
async fn a_limit_that_is_lowered_while_callers_wait_is_kept() {
    let limiter = Limiter::queued(10, 40);
    let inside = Arc::new(AtomicUsize::new(0));
    let mut callers = JoinSet::new();
    for _ in 0..40 {
        let (limiter, inside) = (limiter.clone(), Arc::clone(&inside));
        callers.spawn(async move {
            loop {
                let _permit = limiter.acquire().await.unwrap();
                inside.fetch_add(1, Ordering::Relaxed);
                sleep(ms(10)).await;
                inside.fetch_sub(1, Ordering::Relaxed);
            }
        });
    }
    sleep(ms(95)).await;
    assert_eq!(inside.load(Ordering::Relaxed), 10);
    limiter.set_limit(2).unwrap();
    sleep(ms(10)).await;
    for _ in 0..100 {
        assert_eq!(inside.load(Ordering::Relaxed), 2);
        sleep(ms(10)).await;
    }
    callers.shutdown().await;
    expect(&limiter, 0, 0);
}

// e9: what comes first of all is turned away.
#[tokio::test(start_paused = true)]
async fn a_fresh_limiter_admits_as_many_as_it_was_built_for() {
    let service = ConcurrencyLimitLayer::new(5).layer(service_fn(work_for));
    let mut calls = JoinSet::new();
    (0..5).for_each(|_| {
        calls.spawn(service.clone().oneshot(1));
    });
    let answers = calls.join_all().await;
    assert!(answers.iter().all(Result::is_ok));
}

// gauge, leak: calls that were cancelled are counted for ever.
#[tokio::test(start_paused = true)]
async fn calls_that_were_cancelled_are_not_counted() {
    let service = ConcurrencyLimitLayer::queued(8, 8).layer(service_fn(work_for));
    let limiter = service.limiter();
    for _ in 0..16 {
        let cancelled = timeout(ms(2), service.clone().oneshot(1_000)).await;
        assert!(cancelled.is_err());
    }
    expect(&limiter, 0, 0);
    for _ in 0..300 {
        service.clone().oneshot(1).await.unwrap();
    }
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.limit, snapshot.available), (8, 8));
}

// misc: one who waits in one service is not woken by what happens in another.
#[test]
fn a_change_in_one_service_wakes_who_waits_in_another() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let mut busy = layer.layer(script.service());
    let mut other = layer.layer(script.service());
    let running = busy.call(1);
    let mut waiting = Task::new(other.call(2));
    waiting.expect_pending();
    busy.limiter().set_limit(2).unwrap();
    assert_eq!(waiting.wakes(), 1);
    drop((running, waiting));
}
