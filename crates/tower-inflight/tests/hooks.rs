//! What a hook may do, and what it cannot do to anybody.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use inflight_test::{Task, Work};
use tower::{Layer, Service, service_fn};
use tower_inflight::builder::LimiterBuilder;
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason, Rejection};

fn one_at_a_time() -> LimiterBuilder {
    Limiter::builder().max_concurrency(1).name("bulkhead")
}

/// A hook that counts its calls, and its handle.
fn counted() -> (Arc<AtomicUsize>, impl Fn(&Rejection) + Send + Sync) {
    let count = Arc::new(AtomicUsize::new(0));
    let hook = {
        let count = Arc::clone(&count);
        move |_: &Rejection| {
            count.fetch_add(1, Ordering::SeqCst);
        }
    };
    (count, hook)
}

/// Each way to be rejected by a limiter that is full.
fn rejections(limiter: &Limiter) -> [Rejection; 5] {
    let layer = ConcurrencyLimitLayer::from(limiter.clone());
    let mut service = layer.layer(service_fn(|(): ()| async { Ok::<_, &str>(()) }));
    let call = Task::new(service.call(())).expect_ready();
    [
        call.map_err(|error| *error.rejection().expect("the service was not called")),
        limiter.try_acquire().map(drop),
        limiter.acquire_blocking().map(drop),
        Task::new(limiter.acquire()).expect_ready().map(drop),
        Task::new(limiter.run(async {})).expect_ready(),
    ]
    .map(|outcome| outcome.expect_err("it is full"))
}

#[test]
fn a_plain_hook_hears_of_each_rejection_once() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let limiter = one_at_a_time()
        .on_rejected({
            let heard = Arc::clone(&heard);
            move |rejection| heard.lock().unwrap().push(*rejection)
        })
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    assert!(heard.lock().unwrap().is_empty());

    let told = rejections(&limiter);
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), told.len());
    for rejection in heard.iter() {
        assert_eq!(rejection.reason(), Reason::LimitReached);
        assert_eq!(rejection.name(), Some("bulkhead"));
        assert_eq!((rejection.limit(), rejection.queue_limit()), (1, 0));
    }
}

#[test]
fn it_is_called_before_anybody_polls() {
    let (count, hook) = counted();
    let limiter = one_at_a_time().on_rejected(hook).build().unwrap();
    let _held = limiter.try_acquire().unwrap();
    let _acquire = limiter.acquire();
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn an_async_hook_is_awaited_before_the_caller_is_told() {
    let work = Work::new();
    let limiter = one_at_a_time()
        .on_rejected_async({
            let work = work.clone();
            move |_| work.start()
        })
        .build()
        .unwrap();
    let held = limiter.try_acquire().unwrap();
    let mut acquire = Task::new(limiter.acquire());
    acquire.expect_pending();

    drop(held);
    assert!(limiter.try_acquire().is_ok(), "nobody else waits for it");
    work.finish(0, ());
    assert!(acquire.is_woken());
    assert_eq!(
        acquire.expect_ready().unwrap_err().reason(),
        Reason::LimitReached
    );
}

#[test]
fn an_async_hook_is_awaited_by_a_service() {
    let work = Work::new();
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .on_rejected_async({
            let work = work.clone();
            move |_| work.start()
        })
        .build()
        .unwrap();
    let _held = layer.limiter().try_acquire().unwrap();
    let mut service = layer.layer(service_fn(|(): ()| async { Ok::<_, &str>(()) }));
    let mut call = Task::new(service.call(()));
    call.expect_pending();
    work.finish(0, ());
    assert!(call.expect_ready().unwrap_err().rejection().is_some());
}

#[test]
fn a_caller_who_goes_away_drops_the_hook() {
    let work: Work<()> = Work::new();
    let limiter = one_at_a_time()
        .on_rejected_async({
            let work = work.clone();
            move |_| work.start()
        })
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    let mut acquire = Task::new(limiter.acquire());
    acquire.expect_pending();
    drop(acquire);
    assert_eq!(work.counts().dropped, 1);
    assert_eq!(limiter.hook_failures(), 0);
    assert_eq!(limiter.snapshot().in_flight, 1);
}

#[tokio::test(start_paused = true)]
async fn cancellation_is_no_rejection_and_a_timeout_is_one() {
    let (count, hook) = counted();
    let limiter = one_at_a_time()
        .queue_limit(1)
        .queue_timeout(Duration::from_millis(100))
        .on_rejected(hook)
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    drop(limiter.acquire());
    assert_eq!(count.load(Ordering::SeqCst), 0);
    limiter.acquire().await.unwrap_err();
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn an_evicted_waiter_hears_of_it_when_it_is_told_and_not_if_it_is_gone() {
    let (count, hook) = counted();
    let limiter = one_at_a_time()
        .queue_limit(1)
        .use_priority_queue(true)
        .on_rejected(hook)
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    let high = |priority| tower_inflight::Ticket::new().with_priority(priority);
    let mut first = Task::new(limiter.acquire());
    let second = limiter.acquire_with(high(1));
    let _third = limiter.acquire_with(high(2));
    assert_eq!(count.load(Ordering::SeqCst), 0);
    assert_eq!(
        first.expect_ready().unwrap_err().reason(),
        Reason::QueueEvicted
    );
    assert_eq!(count.load(Ordering::SeqCst), 1);
    drop(second);
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn a_hook_that_panics_changes_nothing() {
    let limiter = one_at_a_time()
        .on_rejected(|_| panic!("hook"))
        .build()
        .unwrap();
    expect_unchanged(&limiter);
}

#[test]
fn an_async_hook_that_panics_when_it_is_called_changes_nothing() {
    let limiter = one_at_a_time()
        .on_rejected_async(|_| -> std::future::Ready<()> { panic!("hook") })
        .build()
        .unwrap();
    expect_unchanged(&limiter);
}

#[test]
fn an_async_hook_that_panics_when_it_is_polled_changes_nothing() {
    let limiter = one_at_a_time()
        .on_rejected_async(|_| async { panic!("hook") })
        .build()
        .unwrap();
    expect_unchanged(&limiter);
}

#[test]
fn an_async_hook_that_panics_when_it_is_dropped_changes_nothing() {
    struct Bomb;

    impl Future for Bomb {
        type Output = ();

        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            Poll::Ready(())
        }
    }

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("hook");
        }
    }

    let limiter = one_at_a_time().on_rejected_async(|_| Bomb).build().unwrap();
    expect_unchanged(&limiter);
    let held = limiter.try_acquire().unwrap();
    drop(limiter.acquire());
    assert_eq!(limiter.hook_failures(), 6, "an unpolled one counts too");
    drop(held);
}

#[test]
fn a_panic_that_panics_when_it_is_dropped_changes_nothing() {
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("again");
        }
    }

    let limiter = one_at_a_time()
        .on_rejected(|_| std::panic::panic_any(Bomb))
        .build()
        .unwrap();
    expect_unchanged(&limiter);
}

#[track_caller]
fn expect_unchanged(limiter: &Limiter) {
    let held = limiter.try_acquire().expect("nobody runs");
    for rejection in rejections(limiter) {
        assert_eq!(rejection.reason(), Reason::LimitReached);
    }
    assert_eq!(limiter.hook_failures(), 5);
    drop(held);
    assert!(limiter.try_acquire().is_ok());
}

#[test]
fn a_caller_who_cannot_wait_gives_a_slow_hook_up() {
    let work = Work::new();
    let limiter = one_at_a_time()
        .on_rejected_async({
            let work = work.clone();
            move |_| work.start()
        })
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    assert_eq!(
        limiter.try_acquire().unwrap_err().reason(),
        Reason::LimitReached
    );
    assert_eq!((work.counts().dropped, limiter.hook_failures()), (1, 1));

    work.finish(1, ());
    limiter.try_acquire().unwrap_err();
    assert_eq!((work.counts().finished, limiter.hook_failures()), (1, 1));
}

#[test]
fn a_blocking_caller_waits_for_the_hook() {
    let work = Work::new();
    let limiter = one_at_a_time()
        .on_rejected_async({
            let work = work.clone();
            move |_| work.start()
        })
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    let caller = std::thread::spawn({
        let limiter = limiter.clone();
        move || limiter.acquire_blocking().unwrap_err().reason()
    });
    while work.first_polls().is_empty() {
        std::thread::yield_now();
    }
    work.finish(0, ());
    assert_eq!(caller.join().unwrap(), Reason::LimitReached);
    assert_eq!(limiter.hook_failures(), 0);
}

#[test]
fn a_hook_may_use_the_limiter() {
    static LIMITER: OnceLock<Limiter> = OnceLock::new();
    let depth = Arc::new(AtomicUsize::new(0));
    let limiter = one_at_a_time()
        .queue_limit(1)
        .on_rejected({
            let depth = Arc::clone(&depth);
            move |_| {
                let limiter = LIMITER.get().unwrap();
                assert_eq!(limiter.snapshot().queued, 1);
                if depth.fetch_add(1, Ordering::SeqCst) == 0 {
                    limiter.try_acquire().unwrap_err();
                    limiter.set_limit(3).unwrap();
                    limiter.set_limit(2).unwrap();
                }
            }
        })
        .build()
        .unwrap();
    LIMITER.set(limiter.clone()).unwrap();
    let _held = limiter.try_acquire().unwrap();
    let waiting = limiter.acquire();
    let rejection = limiter.try_acquire().unwrap_err();
    assert_eq!(rejection.limit(), 1, "what it was then");
    assert_eq!(depth.load(Ordering::SeqCst), 2);
    assert_eq!(limiter.hook_failures(), 0);
    assert!(
        Task::new(waiting).expect_ready().is_ok(),
        "the hook let it in"
    );
}

#[test]
fn the_last_hook_that_is_set_counts() {
    let (count, hook) = counted();
    let limiter = one_at_a_time()
        .on_rejected_async(|_| async { panic!("it was replaced") })
        .on_rejected(hook)
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    limiter.try_acquire().unwrap_err();
    assert_eq!(
        (count.load(Ordering::SeqCst), limiter.hook_failures()),
        (1, 0)
    );
}

#[tokio::test]
async fn futures_with_an_async_hook_are_send_and_sync() {
    fn check<T: Send + Sync>(value: T) -> T {
        value
    }

    // A future that is not `Sync`.
    let limiter = one_at_a_time()
        .on_rejected_async(|_| {
            let cell = std::cell::Cell::new(1);
            poll_fn(move |_| {
                cell.set(cell.get() + 1);
                Poll::Ready(())
            })
        })
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    let acquire = check(limiter.acquire());
    assert!(tokio::spawn(acquire).await.unwrap().is_err());
}
