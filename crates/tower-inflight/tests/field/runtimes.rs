//! Runtimes that come and go while a limiter stays.

use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;
use tower_inflight::Limiter;

use crate::workshop::{expect, ms, patient};

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

/// Waits in a task of `runtime`, until it is dropped with it.
fn spawn_waiters(runtime: &Runtime, limiter: &Limiter, count: usize) {
    let before = limiter.snapshot().queued;
    for _ in 0..count {
        let acquire = limiter.acquire();
        runtime.spawn(async move {
            let _permit = acquire.await;
            std::future::pending::<()>().await;
        });
    }
    // One turn, so that all have been polled.
    runtime.block_on(yield_now());
    assert_eq!(limiter.snapshot().queued, before + count);
}

// F175
#[test]
fn dropping_a_runtime_hands_its_permit_to_a_waiter_of_another() {
    for limiter in [Limiter::queued(1, 200), patient(1, 200, ms(1_000))] {
        let (first, second) = (runtime(), runtime());
        let held = limiter.try_acquire().unwrap();
        first.spawn(async move {
            let _held = held;
            std::future::pending::<()>().await;
        });
        spawn_waiters(&first, &limiter, 100);
        let waiting = second.spawn({
            let acquire = limiter.acquire();
            async move { acquire.await.map(drop) }
        });
        second.block_on(yield_now());
        expect(&limiter, 1, 101);

        drop(first);
        second.block_on(waiting).unwrap().unwrap();
        expect(&limiter, 0, 0);
    }
}

// F175
#[test]
fn waiters_of_a_runtime_that_is_gone_leave_the_rest_in_order() {
    let limiter = Limiter::queued(1, 200);
    let held = limiter.try_acquire().unwrap();
    let (first, second) = (runtime(), runtime());
    spawn_waiters(&first, &limiter, 50);
    let before = second.spawn(limiter.acquire());
    spawn_waiters(&first, &limiter, 50);
    let after = second.spawn(limiter.acquire());
    second.block_on(yield_now());
    drop(first);
    expect(&limiter, 1, 2);

    drop(held);
    let permit = second.block_on(before).unwrap().unwrap();
    expect(&limiter, 1, 1);
    drop(permit);
    drop(second.block_on(after).unwrap().unwrap());
    expect(&limiter, 0, 0);
}
