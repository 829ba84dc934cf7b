//! tower's own limit, alone and under `LoadShed` and `Buffer`.

use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

use inflight_test::{Script, Task, poll_once};
use tokio::time::{Instant, timeout};
use tower::buffer::Buffer;
use tower::{BoxError, Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Error, Limiter, Reason};

use crate::workshop::{expect, ms, reason, work_for};

// e1: a clone that was shed once takes the next permit, and never uses it.
#[test]
fn a_clone_that_was_rejected_takes_no_permit_later() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::new(1);
    let stack = ServiceBuilder::new().load_shed().layer(layer);
    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| stack.service(script.service()));
    let mut cx = Context::from_waker(Waker::noop());

    assert!(a.poll_ready(&mut cx).is_ready());
    let running = a.call(1);
    assert!(b.poll_ready(&mut cx).is_ready());
    let shed = Task::new(b.call(2)).expect_ready().unwrap_err();
    assert_eq!(reason(&shed), Some(Reason::LimitReached));
    drop(running);

    assert!(c.poll_ready(&mut cx).is_ready());
    let mut served = Task::new(c.call(3));
    served.expect_pending();
    drop((b, served));
    assert!(d.poll_ready(&mut cx).is_ready());
    Task::new(d.call(4)).expect_pending();
    assert_eq!(script.requests(), [1, 3, 4]);
}

// e2: a ready clone, and a response that somebody keeps, hold a permit.
#[test]
fn neither_readiness_nor_a_kept_response_holds_a_permit() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::new(1).layer(script.service());
    let limiter = service.limiter();
    let mut cx = Context::from_waker(Waker::noop());
    assert!(service.poll_ready(&mut cx).is_ready());
    expect(&limiter, 0, 0);

    let mut kept = service.call(1);
    script.work().finish(0, Ok(1));
    assert!(poll_once(&mut kept).is_ready());
    expect(&limiter, 0, 0);
    drop(kept);
    expect(&limiter, 0, 0);
}

// e3: the timer of a timeout starts only after the wait.
#[tokio::test(start_paused = true)]
async fn a_timeout_outside_runs_while_the_call_waits() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let mut service = ServiceBuilder::new()
        .timeout(ms(20))
        .layer(layer)
        .service(service_fn(work_for));
    let _held = limiter.try_acquire().unwrap();
    let start = Instant::now();
    let error = service.ready().await.unwrap().call(1).await.unwrap_err();
    assert!(error.is::<tower::timeout::error::Elapsed>());
    assert_eq!(start.elapsed(), ms(20));
}

// e10: a ready clone keeps a place of the buffer inside from all others.
#[tokio::test(start_paused = true)]
async fn a_ready_clone_over_a_buffer_is_replaced_once_it_would_have_to_wait() {
    let buffer = Buffer::new(service_fn(work_for), 1);
    let service = ConcurrencyLimitLayer::queued(1, 1).layer(buffer);
    let limiter = service.limiter();
    let mut first = service.clone();
    first.ready().await.unwrap();
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(first.call(1));
    waiting.expect_pending();
    drop((held, waiting));
    let answer = timeout(ms(100), service.oneshot(1)).await;
    assert_eq!(answer.expect("the buffer has a place").unwrap(), 1);
}

// bf1: one rejection through `poll_ready`, and a buffer is dead for good.
#[tokio::test]
async fn a_buffer_outside_outlives_a_closed_and_a_full_limiter() {
    let limiter = Limiter::new(1);
    let layer = ConcurrencyLimitLayer::from(limiter.clone());
    let mut service = Buffer::new(layer.layer(service_fn(work_for)), 4);
    let held = limiter.try_acquire().unwrap();
    let error = service.ready().await.unwrap().call(0).await.unwrap_err();
    assert_eq!(reason(&error), Some(Reason::LimitReached));
    drop(held);
    assert_eq!(service.ready().await.unwrap().call(0).await.unwrap(), 0);
    limiter.close();
    for _ in 0..2 {
        let error = service.ready().await.unwrap().call(0).await.unwrap_err();
        assert_eq!(reason(&error), Some(Reason::Closed));
    }
}

// e11: a clone that gave up waiting, and lives on, takes the permit.
#[tokio::test(start_paused = true)]
async fn a_clone_that_gave_up_waiting_takes_nothing_from_one_who_waits() {
    let service = ConcurrencyLimitLayer::queued(1, 2).layer(service_fn(work_for));
    let limiter = service.limiter();
    let held = limiter.try_acquire().unwrap();
    let mut gave_up = service.clone();
    let waited = timeout(ms(10), gave_up.ready().await.unwrap().call(1)).await;
    assert!(waited.is_err());
    let mut live = service.clone();
    let call = live.ready().await.unwrap().call(1);
    drop(held);
    assert_eq!(call.await.unwrap(), 1);
    drop(gave_up);
}

// e12: an error of the service's readiness keeps the permit.
#[test]
fn an_error_of_readiness_keeps_no_permit() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::new(1).layer(script.service());
    let limiter = service.limiter();
    script.fail_readiness("broken");
    let mut cx = Context::from_waker(Waker::noop());
    let failed = service.poll_ready(&mut cx);
    assert!(matches!(failed, Poll::Ready(Err(Error::Service("broken")))));
    expect(&limiter, 0, 0);

    script.fail_readiness("broken");
    let answer = Task::new(service.clone().call(1)).expect_ready();
    assert!(matches!(answer, Err(Error::Service("broken"))));
    expect(&limiter, 0, 0);
}

// e2: asked again and again, and never called.
#[tokio::test]
async fn asking_for_readiness_for_ever_reserves_nothing() {
    let service = ConcurrencyLimitLayer::new(1).layer(service_fn(work_for));
    let limiter = service.limiter();
    let mut clones = vec![service; 3];
    for _ in 0..1_000 {
        for clone in &mut clones {
            poll_fn(|cx| clone.poll_ready(cx)).await.unwrap();
        }
    }
    expect(&limiter, 0, 0);
    let answer: Result<u64, BoxError> = clones[2].call(0).await.map_err(BoxError::from);
    assert_eq!(answer.unwrap(), 0);
}
