//! Waiting has an end, on tokio's clock.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task};
use tokio::time::{Instant, advance};
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Limiter, Reason, Ticket};

type Inner = ScriptedService<u32, u32, &'static str>;

fn limited(timeout: Duration) -> (Script<u32, u32, &'static str>, ConcurrencyLimit<Inner>) {
    let script = Script::new();
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(2)
        .queue_timeout(timeout)
        .build()
        .expect("it can be built");
    let service = layer.layer(script.service());
    (script, service)
}

fn limiter(timeout: Duration) -> Limiter {
    Limiter::builder()
        .max_concurrency(1)
        .queue_limit(2)
        .queue_timeout(timeout)
        .build()
        .expect("it can be built")
}

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[tokio::test(start_paused = true)]
async fn who_waits_too_long_is_rejected_and_never_starts() {
    let (script, mut service) = limited(ms(250));
    let _held = service.limiter().try_acquire().unwrap();
    let start = Instant::now();
    let error = service.call(2).await.unwrap_err();
    let rejection = error.rejection().unwrap();
    assert_eq!(rejection.reason(), Reason::QueueTimeout);
    assert_eq!(rejection.waited(), ms(250));
    assert_eq!(start.elapsed(), ms(250));
    assert!(script.requests().is_empty());
    assert_eq!(service.limiter().snapshot().queued, 0);
}

#[tokio::test(start_paused = true)]
async fn a_grant_before_the_deadline_stands_however_late_it_is_polled() {
    let (script, mut service) = limited(ms(250));
    let held = service.limiter().try_acquire().unwrap();
    let mut waiting = Task::new(service.call(2));
    waiting.expect_pending();
    advance(ms(249)).await;
    drop(held);
    advance(ms(10_000)).await;
    waiting.expect_pending();
    assert_eq!(script.requests(), [2]);

    script.work().finish(0, Ok(3));
    assert_eq!(waiting.expect_ready().unwrap(), 3);
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_exactly_it_is_too_late() {
    let (script, mut service) = limited(ms(250));
    let held = service.limiter().try_acquire().unwrap();
    let mut waiting = Task::new(service.call(2));
    waiting.expect_pending();
    advance(ms(250)).await;
    drop(held);
    let error = waiting.expect_ready().unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::QueueTimeout);
    assert!(script.requests().is_empty());
    assert_eq!(service.limiter().snapshot().in_flight, 0);
}

#[tokio::test(start_paused = true)]
async fn waiting_wakes_nobody_until_it_ends() {
    let limiter = limiter(ms(250));
    let _held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    waiting.expect_pending();
    advance(ms(249)).await;
    assert_eq!(waiting.wakes(), 0);
    advance(ms(1)).await;
    assert_eq!(waiting.wakes(), 1);
    assert!(waiting.expect_ready().is_err());
}

#[tokio::test(start_paused = true)]
async fn the_smaller_of_two_timeouts_counts() {
    let limiter = limiter(ms(250));
    let _held = limiter.try_acquire().unwrap();
    for (max_wait, waited) in [(100, 100), (900, 250)] {
        let ticket = Ticket::new().with_max_wait(ms(max_wait));
        let rejection = limiter.acquire_with(ticket).await.unwrap_err();
        assert_eq!(rejection.waited(), ms(waited));
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_without_budget_is_rejected_in_time() {
    let limiter = limiter(ms(250));
    let _held = limiter.try_acquire().unwrap();
    let mut waiting = pin!(limiter.acquire());
    let mut polls = 0;
    let rejection = poll_fn(|cx| {
        polls += 1;
        assert!(polls < 100, "the timer never fires");
        use_up_budget();
        waiting.as_mut().poll(cx)
    })
    .await
    .unwrap_err();
    assert_eq!(rejection.reason(), Reason::QueueTimeout);
    assert_eq!(polls, 2, "once to begin, once at the end");
}

#[tokio::test(start_paused = true)]
async fn a_task_without_budget_is_admitted_at_once() {
    let limiter = limiter(ms(250));
    let mut acquire = pin!(limiter.acquire());
    let permit = poll_fn(|cx| {
        use_up_budget();
        match acquire.as_mut().poll(cx) {
            Poll::Ready(permit) => Poll::Ready(permit),
            Poll::Pending => panic!("there is room"),
        }
    })
    .await;
    assert!(permit.is_ok());
}

/// Drains the cooperative budget of the running task.
fn use_up_budget() {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    while tokio::task::coop::has_budget_remaining() {
        sender.send(()).expect("the receiver is here");
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(receiver.poll_recv(&mut cx).is_ready());
    }
}

#[test]
fn outside_a_runtime_a_timed_wait_panics_and_loses_nothing() {
    let limiter = limiter(ms(250));
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    assert!(catch_unwind(AssertUnwindSafe(|| waiting.poll())).is_err());
    drop(waiting);
    assert_eq!(limiter.snapshot().queued, 0);
    drop(held);
    assert!(Task::new(limiter.acquire()).expect_ready().is_ok());
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[test]
fn outside_a_runtime_a_wait_without_a_timeout_is_fine() {
    let limiter = Limiter::queued(1, 1);
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    waiting.expect_pending();
    drop(held);
    assert!(waiting.expect_ready().is_ok());
}

#[test]
fn a_wait_that_moves_to_another_runtime_goes_by_the_clock_there() {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap()
    };
    let (here, there) = (runtime(), runtime());
    let limiter = here.block_on(async { limiter(ms(250)) });
    let _held = limiter.try_acquire().unwrap();
    let mut waiting = here.block_on(async { Task::new(limiter.acquire()) });
    here.block_on(async {
        waiting.expect_pending();
        advance(ms(3_600_000)).await;
    });
    assert!(waiting.is_woken());

    // That clock stands close to where this one began.
    there.block_on(async {
        waiting.expect_pending();
        advance(ms(200)).await;
        waiting.expect_pending();
        advance(ms(10_000)).await;
        assert!(waiting.is_woken());
        let rejection = waiting.expect_ready().unwrap_err();
        assert_eq!(rejection.reason(), Reason::QueueTimeout);
    });
}

#[tokio::test(start_paused = true)]
async fn the_longest_timeout_is_waited_for() {
    let longest = ms(4_294_967_294);
    let limiter = limiter(longest);
    let _held = limiter.try_acquire().unwrap();
    let start = Instant::now();
    assert_eq!(limiter.acquire().await.unwrap_err().waited(), longest);
    assert_eq!(start.elapsed(), longest);
}

#[tokio::test(start_paused = true)]
async fn without_a_timeout_no_time_is_kept() {
    let limiter = Limiter::queued(1, 1);
    let _held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    waiting.expect_pending();
    advance(ms(250)).await;
    limiter.close();
    let rejection = waiting.expect_ready().unwrap_err();
    assert_eq!(rejection.reason(), Reason::Closed);
    assert_eq!(rejection.waited(), Duration::ZERO);
}
