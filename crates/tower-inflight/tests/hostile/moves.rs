//! Futures that go from hand to hand.

use std::sync::Arc;

use inflight_test::{Script, Task, poll_once};
use tokio::sync::Mutex;
use tokio::task::yield_now;
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::wreck::expect_whole;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_may_be_polled_by_one_task_and_end_in_another() {
    let limiter = Limiter::queued(1, 1);
    for _ in 0..500 {
        let held = limiter.try_acquire().unwrap();
        let mut acquire = limiter.acquire();
        let polled = tokio::spawn(async move {
            assert!(poll_once(&mut acquire).is_pending());
            yield_now().await;
            Some(acquire)
        });
        let acquire = polled.await.unwrap().unwrap();
        let waiting = tokio::spawn(acquire);
        drop(held);
        drop(waiting.await.unwrap().unwrap());
    }
    expect_whole(&limiter);
}

#[tokio::test]
async fn a_call_may_be_shared_by_tasks_that_poll_in_turn() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 1).layer(script.service());
    let limiter = service.limiter();
    let held = limiter.try_acquire().unwrap();
    let call = Arc::new(Mutex::new(Task::new(service.call(7))));
    for _ in 0..3 {
        let call = Arc::clone(&call);
        let polled = tokio::spawn(async move { call.lock().await.expect_pending() });
        polled.await.unwrap();
    }
    drop(held);
    script.work().finish(0, Ok(8));
    let answered = tokio::spawn(async move { call.lock().await.expect_ready() });
    assert_eq!(answered.await.unwrap().unwrap(), 8);
    expect_whole(&limiter);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_permit_may_end_in_another_task_or_thread() {
    let limiter = Limiter::queued(1, 2);
    let in_a_task = limiter.acquire().await.unwrap();
    let in_a_thread = limiter.acquire();
    tokio::spawn(async move { drop(in_a_task) }).await.unwrap();
    let in_a_thread = in_a_thread.await.unwrap();
    std::thread::spawn(move || drop(in_a_thread))
        .join()
        .unwrap();
    expect_whole(&limiter);
}
