//! Wakers that panic, and wakers that call back.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use inflight_test::{Script, Task, panicking_waker, waker_on_drop, waker_on_wake};
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::wreck::{expect, expect_whole, explode};

fn poll_with(future: &mut (impl Future + Unpin), waker: &std::task::Waker) -> Poll<()> {
    let mut cx = Context::from_waker(waker);
    std::pin::Pin::new(future).poll(&mut cx).map(drop)
}

#[test]
fn a_waker_that_panics_keeps_nobody_else_asleep() {
    let limiter = Limiter::queued(1, 8);
    let held = limiter.try_acquire().unwrap();
    let mut bad: Vec<_> = (0..4).map(|_| limiter.acquire()).collect();
    for acquire in &mut bad {
        assert!(poll_with(acquire, &panicking_waker()).is_pending());
    }
    let mut good: Vec<_> = (0..4).map(|_| Task::new(limiter.acquire())).collect();
    good.iter_mut().for_each(Task::expect_pending);

    limiter.set_limit(9).unwrap();
    assert!(good.iter().all(Task::is_woken));
    expect(&limiter, 9, 0);
    drop((bad, good, held));
    expect_whole(&limiter);
}

#[test]
fn a_waker_that_panics_costs_the_one_who_ends_nothing() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 1).layer(script.service());
    let limiter = service.limiter();
    let mut running = Task::new(service.call(1));
    running.expect_pending();
    let mut waiting = Box::pin(service.call(2));
    assert!(poll_with(&mut waiting, &panicking_waker()).is_pending());
    script.work().finish(0, Ok(10));
    assert_eq!(running.expect_ready().unwrap(), 10);
    expect(&limiter, 1, 0);
    drop(waiting);
    expect_whole(&limiter);
}

#[test]
fn a_waker_that_panics_when_it_is_dropped_harms_nobody() {
    let limiter = Limiter::queued(1, 1);
    let held = limiter.try_acquire().unwrap();
    let mut waiting = limiter.acquire();
    let waker = waker_on_drop(|| explode());
    assert!(poll_with(&mut waiting, &waker).is_pending());
    // The last clone of it is the one that is stored.
    drop(waker);
    drop(waiting);
    drop(held);
    expect_whole(&limiter);
}

#[test]
fn a_waker_may_call_the_service_that_wakes_it() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 1).layer(script.service());
    let limiter = service.limiter();
    let running = service.call(1);
    let calls = Arc::new(Mutex::new(Vec::new()));
    let waker = waker_on_wake({
        let (service, calls) = (Mutex::new(service.clone()), Arc::clone(&calls));
        move || calls.lock().unwrap().push(service.lock().unwrap().call(3))
    });
    let mut waiting = Box::pin(service.call(2));
    assert!(poll_with(&mut waiting, &waker).is_pending());
    drop(running);
    expect(&limiter, 1, 1);
    assert_eq!(calls.lock().unwrap().len(), 1);

    drop(waiting);
    expect(&limiter, 1, 0);
    calls.lock().unwrap().clear();
    expect_whole(&limiter);
}
