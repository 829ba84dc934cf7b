use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use inflight_test::Task;
use tokio::time::{Instant, advance};
use tower::{Layer, Service, service_fn};
use tower_inflight::builder::ConcurrencyLimitBuilder;
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason};

use crate::stack::{Stack, reason};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn one_and(queue_limit: usize, timeout: Duration) -> ConcurrencyLimitBuilder {
    ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(queue_limit)
        .queue_timeout(timeout)
}

/// A stack that keeps the reasons which its hook has heard.
fn noted(builder: ConcurrencyLimitBuilder) -> (Stack, Arc<Mutex<Vec<Reason>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let stack = Stack::built(builder.on_rejected({
        let heard = Arc::clone(&heard);
        move |rejection| heard.lock().unwrap().push(rejection.reason())
    }));
    (stack, heard)
}

// K28
#[tokio::test(start_paused = true)]
async fn work_that_waits_for_its_own_permit_ends_at_the_timeout() {
    let layer = one_and(1, ms(100)).build().unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(|limiter: Limiter| async move {
        Ok::<_, Infallible>(limiter.acquire().await.unwrap_err().reason())
    }));
    let start = Instant::now();
    let inner = service.call(limiter.clone()).await.unwrap();
    assert_eq!(inner, Reason::QueueTimeout);
    assert_eq!(start.elapsed(), ms(100));
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.in_flight, snapshot.queued), (0, 0));
}

// K29
#[tokio::test(start_paused = true)]
async fn one_who_is_late_never_starts_and_is_reported_once() {
    let (mut stack, heard) = noted(one_and(2, ms(250)));
    let mut running = stack.call(1);
    let mut late = stack.call(2);
    advance(ms(250)).await;
    assert_eq!(reason(late.expect_ready()), Reason::QueueTimeout);
    assert_eq!(*heard.lock().unwrap(), [Reason::QueueTimeout]);
    stack.expect(1, 0);

    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();
    let mut replacement = stack.call(3);
    stack.finish(1, Ok(3));
    assert_eq!(replacement.expect_ready().unwrap(), 3);
    assert_eq!(stack.script.requests(), [1, 3]);
    assert_eq!(heard.lock().unwrap().len(), 1);
}

// K31
#[tokio::test(start_paused = true)]
async fn the_timer_of_one_who_left_does_nothing() {
    let (mut stack, heard) = noted(one_and(2, ms(1_000)));
    let _running = stack.call(1);
    let leaving = stack.call(2);
    advance(ms(999)).await;
    drop(leaving);
    advance(ms(1)).await;
    stack.expect(1, 0);
    assert!(heard.lock().unwrap().is_empty());
}

// K32
#[tokio::test(start_paused = true)]
async fn a_release_after_the_deadline_starts_nobody_who_is_late() {
    let (mut stack, heard) = noted(one_and(2, ms(250)));
    let mut running = stack.call(1);
    let mut late = stack.call(2);
    // Nothing polls it at its deadline.
    advance(ms(1_000)).await;
    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();
    stack.expect(0, 0);
    assert_eq!(reason(late.expect_ready()), Reason::QueueTimeout);
    assert_eq!(*heard.lock().unwrap(), [Reason::QueueTimeout]);
    assert_eq!(stack.script.requests(), [1]);
}

// K34: a timer needs a runtime.
#[test]
fn where_no_timer_can_be_made_the_wait_fails_and_nothing_else() {
    let (mut stack, heard) = noted(one_and(2, ms(250)));
    let mut running = stack.call(1);
    let mut failing = Task::new(stack.service.call(2));
    assert!(catch_unwind(AssertUnwindSafe(|| failing.poll())).is_err());
    drop(failing);
    stack.expect(1, 0);

    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();
    let mut further = stack.call(3);
    stack.finish(1, Ok(3));
    assert_eq!(further.expect_ready().unwrap(), 3);
    assert!(heard.lock().unwrap().is_empty());
}

// K37
#[tokio::test(start_paused = true)]
async fn after_the_admission_the_timeout_counts_no_more() {
    let (mut stack, heard) = noted(one_and(2, ms(250)));
    let mut running = stack.call(1);
    let mut waiting = stack.call(2);
    advance(ms(249)).await;
    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();
    waiting.expect_pending();
    let wakes = waiting.wakes();
    advance(ms(1)).await;
    assert_eq!(waiting.wakes(), wakes, "no timer is left");

    stack.finish(1, Ok(2));
    assert_eq!(waiting.expect_ready().unwrap(), 2);
    assert!(heard.lock().unwrap().is_empty());
}

// K38
#[tokio::test(start_paused = true)]
async fn each_is_late_in_its_own_time() {
    let (mut stack, heard) = noted(one_and(3, ms(100)));
    let _running = stack.call(1);
    let mut first = stack.call(2);
    advance(ms(50)).await;
    let mut second = stack.call(3);
    advance(ms(50)).await;
    assert!(first.is_woken() && !second.is_woken());
    assert_eq!(reason(first.expect_ready()), Reason::QueueTimeout);
    second.expect_pending();
    stack.expect(1, 1);

    advance(ms(50)).await;
    assert_eq!(reason(second.expect_ready()), Reason::QueueTimeout);
    stack.expect(1, 0);
    assert_eq!(*heard.lock().unwrap(), [Reason::QueueTimeout; 2]);
}

// K40
#[tokio::test(start_paused = true)]
async fn the_place_of_one_who_is_late_is_free_before_its_hook_runs() {
    let limiter = Arc::new(OnceLock::<Limiter>::new());
    let newcomer = Arc::new(Mutex::new(None));
    let mut stack = Stack::built(one_and(1, ms(100)).on_rejected({
        let (limiter, newcomer) = (Arc::clone(&limiter), Arc::clone(&newcomer));
        move |_| {
            let limiter = limiter.get().unwrap();
            assert_eq!(limiter.snapshot().queued, 0);
            *newcomer.lock().unwrap() = Some(limiter.acquire());
            assert_eq!(limiter.snapshot().queued, 1);
        }
    }));
    limiter.set(stack.limiter.clone()).unwrap();
    let running = stack.call(1);
    let mut late = stack.call(2);
    advance(ms(100)).await;
    assert_eq!(reason(late.expect_ready()), Reason::QueueTimeout);
    assert_eq!(stack.limiter.hook_failures(), 0, "its assertions hold");

    drop(running);
    let newcomer = newcomer.lock().unwrap().take().unwrap();
    assert!(newcomer.await.is_ok());
}

// K41
#[test]
fn without_a_line_no_timer_is_ever_made() {
    let layer = ConcurrencyLimitLayer::builder().queue_timeout(ms(250));
    let (mut stack, heard) = noted(layer);
    assert_eq!(stack.limiter.to_string(), "ConcurrencyLimit(10)");
    let _running: Vec<_> = (0..10).map(|_| stack.call(1)).collect();
    // A timer would panic here, where no runtime is.
    assert_eq!(stack.rejected(2), Reason::LimitReached);
    assert_eq!(*heard.lock().unwrap(), [Reason::LimitReached]);
}

// K46: the waiting part is `one_who_is_late_never_starts_and_is_reported_once`.
#[tokio::test(start_paused = true)]
async fn what_was_admitted_at_once_has_no_deadline() {
    let limiter = Limiter::builder()
        .max_concurrency(1)
        .queue_limit(2)
        .queue_timeout(ms(500))
        .use_priority_queue(true)
        .build()
        .unwrap();
    let urgent = tower_inflight::Ticket::new().with_priority(10);
    let running = limiter.try_acquire().unwrap();
    let mut late = Task::new(limiter.acquire_with(urgent));
    late.expect_pending();
    advance(ms(500)).await;
    assert_eq!(
        late.expect_ready().unwrap_err().reason(),
        Reason::QueueTimeout
    );
    assert_eq!(limiter.snapshot().queued, 0);
    drop(running);

    let low = tower_inflight::Ticket::new().with_priority(-10);
    let mut admitted = Task::new(limiter.acquire_with(low));
    advance(ms(10_000)).await;
    assert!(admitted.expect_ready().is_ok());
}
