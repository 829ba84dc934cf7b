//! Permits that are lost, or given back twice.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll};

use inflight_test::{Task, Work, poll_once};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::advance;
use tower::{Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason, Rejection};

use crate::workshop::{expect, ms, patient, work_for};

// F1
#[tokio::test(start_paused = true)]
async fn waits_that_time_out_burn_no_permits() {
    let limiter = patient(2, 2, ms(50));
    for _ in 0..100 {
        let running = [(); 2].map(|()| limiter.try_acquire().unwrap());
        let (first, second) = tokio::join!(limiter.acquire(), limiter.acquire());
        for late in [first, second] {
            assert_eq!(late.unwrap_err().reason(), Reason::QueueTimeout);
        }
        drop(running);
        expect(&limiter, 0, 0);
    }
}

// F3
#[test]
fn one_who_leaves_the_line_takes_no_permit_along() {
    let limiter = Limiter::queued(1, 1);
    let held = limiter.try_acquire().unwrap();
    let mut leaving = Task::new(limiter.acquire());
    leaving.expect_pending();
    drop(leaving);
    drop(held);
    let next = Task::new(limiter.acquire()).expect_ready();
    assert!(next.is_ok());
    expect(&limiter, 1, 0);
}

// F17
#[test]
fn a_rejection_gives_back_nothing_that_it_never_had() {
    let mut service = ConcurrencyLimitLayer::new(1).layer(service_fn(work_for));
    let _running = service.call(1);
    for _ in 0..3 {
        let mut rejected = Task::new(service.call(2));
        let error = rejected.expect_ready().unwrap_err();
        drop(rejected);
        assert_eq!(error.rejection().unwrap().in_flight(), 1);
    }
    assert_eq!(service.limiter().snapshot().available, 0);
}

// F7
#[tokio::test]
async fn tasks_that_panic_give_their_permits_back_and_the_limiter_drains() {
    let limiter = Limiter::new(2);
    let work: Work<()> = Work::new();
    for job in 0..10 {
        work.panic_at_poll(job, 2);
        let mut task = Box::pin(limiter.run(work.start()));
        let panicked = tokio::spawn(async move {
            std::future::poll_fn(|cx| {
                assert!(task.as_mut().poll(cx).is_pending());
                Poll::Ready(())
            })
            .await;
            task.await
        });
        assert!(panicked.await.unwrap_err().is_panic());
        expect(&limiter, 0, 0);
    }
    limiter.close();
    limiter.drained().await;
}

// F9
#[test]
fn admitted_calls_that_nobody_polls_give_their_permits_back() {
    let mut service = ConcurrencyLimitLayer::new(4).layer(service_fn(work_for));
    for _ in 0..20 {
        drop(service.call(1));
    }
    let call = service.call(1);
    expect(&service.limiter(), 1, 0);
    drop(call);
}

/// Is ready at once, and panics when it is destroyed.
struct Bomb;

impl Future for Bomb {
    type Output = Result<(), Infallible>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(Ok(()))
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        // Quietly, without the message of a panic.
        resume_unwind(Box::new("bomb"));
    }
}

// F11: what runs when a call has succeeded is the destructor of its future.
#[test]
fn a_panic_after_success_gives_one_permit_back() {
    let limiter = Limiter::new(1);
    let mut service = ConcurrencyLimitLayer::from(limiter.clone()).layer(service_fn(|()| Bomb));
    let mut call = Task::new(service.call(()));
    assert!(catch_unwind(AssertUnwindSafe(|| call.poll())).is_err());
    expect(&limiter, 0, 0);
    let mut run = Task::new(limiter.run(Bomb));
    assert!(catch_unwind(AssertUnwindSafe(|| run.poll())).is_err());
    expect(&limiter, 0, 0);

    let both = [limiter.try_acquire(), limiter.try_acquire()];
    assert_eq!(both.iter().filter(|permit| permit.is_ok()).count(), 1);
    drop((call, run));
    expect(&limiter, 1, 0);
}

// F13
#[tokio::test]
async fn a_job_that_outlives_its_caller_keeps_the_permit_that_was_moved_into_it() {
    async fn handle(limiter: Limiter, end: mpsc::Receiver<()>) -> Result<(), Rejection> {
        let permit = limiter.acquire().await?;
        let job = spawn_blocking(move || {
            let _permit = permit;
            // An error would say that the test is over.
            let _ = end.recv();
        });
        job.await.expect("the job does not panic");
        Ok(())
    }

    let limiter = Limiter::queued(1, 1);
    let (end, ended) = mpsc::channel();
    let mut caller = Task::new(handle(limiter.clone(), ended));
    caller.expect_pending();
    drop(caller);

    let mut second = limiter.acquire();
    assert!(poll_once(&mut second).is_pending());
    expect(&limiter, 1, 1);
    end.send(()).unwrap();
    drop(second.await.unwrap());
}

// F15
#[tokio::test(start_paused = true)]
async fn answers_that_race_a_timeout_leave_nothing_in_flight() {
    let layer = ConcurrencyLimitLayer::queued(5, 500);
    let limiter = layer.limiter();
    let service = ServiceBuilder::new()
        .timeout(ms(50))
        .layer(layer)
        .service(service_fn(work_for));
    let mut calls = JoinSet::new();
    for _ in 0..500 {
        calls.spawn(service.clone().oneshot(50));
    }
    let mut answered = 0;
    while let Some(answer) = calls.join_next().await {
        answered += usize::from(answer.unwrap().is_ok());
    }
    assert!(answered <= 5, "the rest waits for 50 ms and more");
    expect(&limiter, 0, 0);

    let mut more = [(); 5].map(|()| Task::new(service.clone().oneshot(1)));
    more.iter_mut().for_each(Task::expect_pending);
    expect(&limiter, 5, 0);
    advance(ms(2)).await;
    for call in &mut more {
        assert!(call.expect_ready().is_ok());
    }
}
