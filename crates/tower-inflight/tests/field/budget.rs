//! Tasks that have used up what tokio lets them do without a pause.

use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

use inflight_test::Task;
use tokio::task::coop::has_budget_remaining;
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::workshop::{expect, ms};

/// Drains the cooperative budget of the running task.
fn use_up_budget() {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    while has_budget_remaining() {
        sender.send(()).expect("the receiver is here");
        let mut cx = Context::from_waker(Waker::noop());
        assert!(receiver.poll_recv(&mut cx).is_ready());
    }
}

// F33
#[tokio::test]
async fn one_who_comes_without_budget_is_not_passed() {
    let limiter = Limiter::queued(1, 2);
    let held = limiter.try_acquire().unwrap();
    let mut tired = Task::new(limiter.acquire());
    poll_fn(|_| {
        use_up_budget();
        tired.expect_pending();
        Poll::Ready(())
    })
    .await;
    let mut fresh = Task::new(limiter.acquire());
    fresh.expect_pending();

    drop(held);
    assert!(tired.is_woken() && !fresh.is_woken());
    poll_fn(|_| {
        use_up_budget();
        drop(tired.expect_ready().unwrap());
        Poll::Ready(())
    })
    .await;
    assert!(fresh.expect_ready().is_ok());
}

// co1: tokio's budget turns calls away although there is room.
#[tokio::test]
async fn a_thousand_calls_of_one_task_are_all_admitted() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let service = layer.layer(service_fn(|number: u32| async move { Ok::<_, ()>(number) }));
    let mut reused = service.clone();
    // A peer fails only after one call of the task has had to wait.
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(reused.call(0));
    waiting.expect_pending();
    drop(held);
    assert_eq!(waiting.expect_ready().unwrap(), 0);

    for number in 0..1_000 {
        let answer = reused.ready().await.unwrap().call(number).await;
        assert_eq!(answer.unwrap(), number);
        let answer = service.clone().oneshot(number).await;
        assert_eq!(answer.unwrap(), number);
    }
    expect(&limiter, 0, 0);
}

// co1: a thousand calls in one poll, when nothing is left of the budget.
#[tokio::test(start_paused = true)]
async fn without_budget_there_is_no_false_rejection_and_no_false_wait() {
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(ms(10))
        .build()
        .unwrap();
    let mut service = layer.layer(service_fn(|number: u32| async move { Ok::<_, ()>(number) }));
    poll_fn(|cx| {
        use_up_budget();
        for number in 0..1_000 {
            assert!(service.poll_ready(cx).is_ready());
            let mut call = Task::new(service.call(number));
            assert_eq!(call.expect_ready().unwrap(), number);
        }
        assert!(!has_budget_remaining(), "nothing has filled it up");
        Poll::Ready(())
    })
    .await;
}
