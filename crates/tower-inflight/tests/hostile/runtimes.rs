//! Futures that outlive the runtime in which they were polled.

use std::time::Duration;

use inflight_test::Task;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tower_inflight::Limiter;

use crate::wreck::{expect, expect_panic, expect_whole};

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

fn timed() -> Limiter {
    Limiter::builder()
        .max_concurrency(1)
        .queue_limit(4)
        .queue_timeout(Duration::from_millis(100))
        .build()
        .unwrap()
}

#[test]
fn one_who_was_granted_is_served_although_its_runtime_is_gone() {
    let limiter = timed();
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    runtime().block_on(async { waiting.expect_pending() });
    drop(held);
    runtime().block_on(async { drop(waiting.expect_ready().unwrap()) });
    expect_whole(&limiter);
}

#[test]
fn one_who_waits_and_whose_runtime_is_gone_can_be_dropped() {
    let limiter = timed();
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    runtime().block_on(async { waiting.expect_pending() });
    drop(waiting);
    expect(&limiter, 1, 0);
    drop(held);
    expect_whole(&limiter);
}

/// Its timer is that of the runtime which is gone; tokio panics then.
#[test]
fn one_who_waits_on_when_its_runtime_is_gone_panics_and_loses_nothing() {
    let limiter = timed();
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    runtime().block_on(async { waiting.expect_pending() });
    runtime().block_on(async { expect_panic(|| waiting.poll()) });
    drop(waiting);
    expect(&limiter, 1, 0);
    drop(held);
    expect_whole(&limiter);
}

#[test]
fn a_runtime_that_is_dropped_at_any_moment_takes_what_it_held_along() {
    let limiter = Limiter::queued(2, 8);
    for turns in 0..20 {
        let runtime = runtime();
        for _ in 0..6 {
            let limiter = limiter.clone();
            runtime.spawn(async move {
                loop {
                    let _permit = limiter.acquire().await;
                    tokio::task::yield_now().await;
                }
            });
        }
        runtime.block_on(async {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
        });
        drop(runtime);
        expect_whole(&limiter);
    }
}

#[test]
fn a_runtime_on_another_thread_may_be_dropped_while_its_permits_are_wanted() {
    let limiter = Limiter::queued(1, 100);
    let (began, has_begun) = oneshot::channel();
    let holder = std::thread::spawn({
        let limiter = limiter.clone();
        move || {
            let runtime = runtime();
            let held = limiter.try_acquire().unwrap();
            runtime.spawn(async move {
                let _held = held;
                std::future::pending::<()>().await;
            });
            for _ in 0..50 {
                runtime.spawn(limiter.acquire());
            }
            runtime.block_on(tokio::task::yield_now());
            began.send(()).unwrap();
            drop(runtime);
        }
    });
    let served = runtime().block_on(async {
        has_begun.await.unwrap();
        limiter.acquire().await.is_ok()
    });
    assert!(served);
    holder.join().unwrap();
    expect_whole(&limiter);
}
