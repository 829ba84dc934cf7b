use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::thread;

use inflight_test::{Task, Work};
use tokio::task::yield_now;
use tower::Service;
use tower_inflight::builder::ConcurrencyLimitBuilder;
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Reason};

use crate::stack::{Inner, Stack, reason};

fn one_and(queue_limit: usize) -> ConcurrencyLimitBuilder {
    ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(queue_limit)
        .name("bulkhead")
}

/// A stack the hook of which starts a job that the test ends.
fn worked() -> (Stack, Work<()>) {
    let work = Work::new();
    let stack = Stack::built(one_and(0).on_rejected_async({
        let work = work.clone();
        move |_| work.start()
    }));
    (stack, work)
}

// K62
#[tokio::test]
async fn a_hook_that_yields_has_ended_before_the_caller_is_told() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let mut stack = Stack::built(one_and(0).on_rejected_async({
        let heard = Arc::clone(&heard);
        move |rejection| {
            let heard = Arc::clone(&heard);
            async move {
                yield_now().await;
                heard.lock().unwrap().push(rejection);
            }
        }
    }));
    let _held = stack.call(1);
    let answer = stack.service.call(2).await;
    let heard = heard.lock().unwrap();
    let [rejection] = &heard[..] else {
        panic!("it has to be told once, and was told {} times", heard.len());
    };
    assert_eq!((rejection.limit(), rejection.queue_limit()), (1, 0));
    assert_eq!(rejection.name(), Some("bulkhead"));
    assert_eq!(reason(answer), Reason::LimitReached);
}

// K64
#[test]
fn a_cancellation_in_the_line_tells_no_hook() {
    let heard = Arc::new(AtomicUsize::new(0));
    let mut stack = Stack::built(one_and(1).on_rejected({
        let heard = Arc::clone(&heard);
        move |_| {
            heard.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let mut running = stack.call(1);
    drop(stack.call(2));
    let mut waiting = stack.call(3);
    stack.finish(0, Ok(1));
    assert_eq!(running.expect_ready().unwrap(), 1);
    waiting.expect_pending();
    stack.finish(1, Ok(3));
    assert_eq!(waiting.expect_ready().unwrap(), 3);
    assert_eq!(heard.load(Ordering::Relaxed), 0);
}

// K65
#[test]
fn a_hook_that_panics_leaves_the_rejection_as_it_is() {
    let mut stack = Stack::built(one_and(0).on_rejected(|_| panic!("hook")));
    let held = stack.call(1);
    assert_eq!(stack.rejected(2), Reason::LimitReached);
    assert_eq!(stack.limiter.hook_failures(), 1);
    drop(held);
    stack.expect(0, 0);
    drop(stack.call(3));
}

// K67
#[test]
fn a_hook_that_waits_and_then_fails_is_waited_for_and_counted_once() {
    let (mut stack, work) = worked();
    let _held = stack.call(1);
    let mut rejected = stack.call(2);
    work.panic(0);
    assert!(rejected.is_woken());
    assert_eq!(reason(rejected.expect_ready()), Reason::LimitReached);
    assert_eq!(stack.limiter.hook_failures(), 1);
}

// K68
#[test]
fn a_hook_that_ends_at_once_is_heard_in_every_way_to_call() {
    let heard = Arc::new(AtomicUsize::new(0));
    let mut stack = Stack::built(one_and(0).on_rejected_async({
        let heard = Arc::clone(&heard);
        move |_| {
            heard.fetch_add(1, Ordering::Relaxed);
            std::future::ready(())
        }
    }));
    let _held = stack.call(1);
    let limiter = stack.limiter.clone();
    let told = [
        stack.rejected(2),
        limiter.try_acquire().unwrap_err().reason(),
        limiter.acquire_blocking().unwrap_err().reason(),
        Task::new(limiter.acquire())
            .expect_ready()
            .unwrap_err()
            .reason(),
        Task::new(limiter.run(async {}))
            .expect_ready()
            .unwrap_err()
            .reason(),
    ];
    assert_eq!(told, [Reason::LimitReached; 5]);
    assert_eq!(heard.load(Ordering::Relaxed), 5);
    assert_eq!(limiter.hook_failures(), 0);
}

#[test]
fn a_thread_that_has_waited_in_vain_is_heard_of_too() {
    let (heard, reports) = mpsc::channel();
    let stack = Stack::built(one_and(1).on_rejected_async(move |rejection| {
        heard.send(rejection.reason()).unwrap();
        yield_now()
    }));
    let limiter = stack.limiter;
    let _held = limiter.try_acquire().unwrap();
    let told = thread::scope(|scope| {
        let waiting = scope.spawn(|| limiter.acquire_blocking().unwrap_err());
        while limiter.snapshot().queued == 0 {
            thread::yield_now();
        }
        limiter.close();
        waiting.join().unwrap()
    });
    assert_eq!(told.reason(), Reason::Closed);
    assert_eq!(reports.try_iter().collect::<Vec<_>>(), [Reason::Closed]);
    assert_eq!(limiter.hook_failures(), 0);
}

// K70
#[test]
fn a_hook_that_calls_its_own_service_is_rejected_in_its_turn() {
    type Service = ConcurrencyLimit<Inner>;
    let service = Arc::new(OnceLock::<Mutex<Service>>::new());
    let entered = Arc::new(AtomicUsize::new(0));
    let mut stack = Stack::built(one_and(0).on_rejected({
        let (service, entered) = (Arc::clone(&service), Arc::clone(&entered));
        move |_| {
            if entered.fetch_add(1, Ordering::Relaxed) == 0 {
                let mut service = service.get().unwrap().lock().unwrap().clone();
                let again = Task::new(service.call(3)).expect_ready();
                assert_eq!(reason(again), Reason::LimitReached);
            }
        }
    }));
    assert!(service.set(Mutex::new(stack.service.clone())).is_ok());
    let _held = stack.call(1);
    assert_eq!(stack.rejected(2), Reason::LimitReached);
    assert_eq!(entered.load(Ordering::Relaxed), 2);
    assert_eq!(stack.limiter.hook_failures(), 0, "its assertion holds");
}

// K73
#[test]
fn a_caller_who_goes_while_the_hook_is_at_work_leaves_nothing() {
    let (mut stack, work) = worked();
    let held = stack.call(1);
    drop(stack.call(2));
    assert_eq!(work.counts().dropped, 1);
    stack.expect(1, 0);
    drop(held);
    stack.expect(0, 0);
    assert_eq!(stack.limiter.hook_failures(), 0);
}
