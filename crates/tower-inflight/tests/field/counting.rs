//! How much runs and waits, and how much may.

use std::convert::Infallible;
use std::future::pending;

use inflight_test::{Script, Task, count_allocations};
use tokio::task::JoinSet;
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason};

use crate::workshop::expect;

// F57, F61: calls that one task makes, and calls of as many tasks.
#[tokio::test]
async fn a_burst_is_bounded_whether_it_comes_from_one_task_or_from_many() {
    let layer = ConcurrencyLimitLayer::queued(1, 3);
    let limiter = layer.limiter();
    let service = layer.layer(service_fn(|()| pending::<Result<(), Infallible>>()));
    let _held = limiter.try_acquire().unwrap();

    let mut calls: Vec<_> = (0..10)
        .map(|_| Task::new(service.clone().oneshot(())))
        .collect();
    let ready = calls.iter_mut().filter_map(|call| match call.poll() {
        std::task::Poll::Ready(answer) => Some(answer.unwrap_err()),
        std::task::Poll::Pending => None,
    });
    let reasons: Vec<_> = ready
        .map(|error| error.rejection().unwrap().reason())
        .collect();
    assert_eq!(reasons, [Reason::QueueFull; 7]);
    expect(&limiter, 1, 3);
    drop(calls);
    expect(&limiter, 1, 0);

    let mut tasks = JoinSet::new();
    for _ in 0..10 {
        tasks.spawn(service.clone().oneshot(()));
    }
    for _ in 0..7 {
        let error = tasks.join_next().await.unwrap().unwrap().unwrap_err();
        assert_eq!(error.rejection().unwrap().reason(), Reason::QueueFull);
    }
    expect(&limiter, 1, 3);
    tasks.shutdown().await;
    expect(&limiter, 1, 0);
}

// F59
#[test]
fn coming_and_leaving_for_ever_takes_no_memory() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 10).layer(script.service());
    let running = service.call(0);
    let mut cycles = |count| {
        for _ in 0..count {
            let mut call = service.call(1);
            assert!(inflight_test::poll_once(&mut call).is_pending());
        }
    };
    cycles(1);
    let ((), allocations) = count_allocations(|| cycles(100_000));
    assert_eq!((allocations.count, allocations.retained_bytes), (0, 0));
    drop(running);
    expect(&service.limiter(), 0, 0);
}

// F63
#[test]
fn a_handle_and_a_service_count_together() {
    let limiter = Limiter::queued(1, 1);
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::from(limiter.clone()).layer(script.service());
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(service.call(1));
    waiting.expect_pending();

    let tried = limiter.try_acquire().unwrap_err();
    assert_eq!(tried.reason(), Reason::LimitReached);
    let called = Task::new(service.call(2)).expect_ready().unwrap_err();
    assert_eq!(called.rejection().unwrap().reason(), Reason::QueueFull);
    expect(&limiter, 1, 1);
    drop(held);
    waiting.expect_pending();
    assert_eq!(script.requests(), [1]);
}
