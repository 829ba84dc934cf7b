//! Calls that take more than one unit of the limit.

use std::sync::atomic::{AtomicU32, Ordering};

use inflight_test::{Script, Task, poll_once};
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason, Ticket};

use crate::workshop::expect;

// F105: the other policy. What is heavier than a limit that cannot grow is
// refused; what has become so while it waited runs alone.
#[test]
fn what_became_heavier_than_the_limit_runs_alone_and_gives_all_of_it_back() {
    let limiter = Limiter::queued(4, 3);
    let held = limiter.try_acquire().unwrap();
    let mut heavy = Task::new(limiter.acquire_with(Ticket::new().with_weight(4)));
    heavy.expect_pending();
    limiter.set_limit(2).unwrap();
    let mut behind = Task::new(limiter.acquire());
    behind.expect_pending();

    drop(held);
    let alone = heavy.expect_ready().unwrap();
    behind.expect_pending();
    expect(&limiter, 4, 1);
    let again = limiter.try_acquire_with(Ticket::new().with_weight(4));
    assert_eq!(again.unwrap_err().reason(), Reason::TooHeavy);
    drop(alone);
    assert!(behind.expect_ready().is_ok());
    expect(&limiter, 0, 0);
}

// F107
#[test]
fn an_endless_stream_of_light_calls_does_not_starve_a_heavy_one() {
    let limiter = Limiter::queued(4, 8);
    let mut light: Vec<_> = (0..3).map(|_| limiter.try_acquire().unwrap()).collect();
    let mut heavy = Task::new(limiter.acquire_with(Ticket::new().with_weight(4)));
    heavy.expect_pending();
    let mut stream = Vec::new();
    while light.pop().is_some() {
        let mut next = Task::new(limiter.acquire());
        next.expect_pending();
        stream.push(next);
        assert!(limiter.try_acquire().is_err());
    }
    drop(heavy.expect_ready().unwrap());
    let served = stream.iter_mut().map(|call| call.expect_ready().unwrap());
    assert_eq!(served.count(), 3);
}

// F109
#[test]
fn calls_of_weight_zero_count_as_one_each() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::new(4).with_weight(|_: &u32| 0);
    let mut service = layer.layer(script.service());
    let mut calls: Vec<_> = (0..10_000).map(|_| service.call(1)).collect();
    let running = calls
        .iter_mut()
        .filter_map(|call| poll_once(call).is_pending().then_some(()));
    assert_eq!(running.count(), 4);
    assert_eq!(script.work().counts().peak, 4);
    expect(&service.limiter(), 4, 0);
    drop(calls);
    expect(&service.limiter(), 0, 0);
}

/// A request the cost of which may change after it was admitted.
struct Query {
    cost: AtomicU32,
}

// F111
#[test]
fn the_weight_is_that_of_the_request_as_it_was_admitted() {
    let [light, heavy] = [1, 8].map(|cost| Query { cost: cost.into() });
    let script: Script<&Query, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::new(10)
        .with_weight(|query: &&Query| query.cost.load(Ordering::Relaxed));
    let mut service = layer.layer(script.service());

    let mut expensive = Task::new(service.call(&heavy));
    expensive.expect_pending();
    let second = Task::new(service.call(&heavy)).expect_ready();
    let error = second.unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::LimitReached);
    let others = [(); 2].map(|()| service.call(&light));
    assert!(Task::new(service.call(&light)).expect_ready().is_err());
    expect(&service.limiter(), 10, 0);

    heavy.cost.store(1, Ordering::Relaxed);
    drop(expensive);
    expect(&service.limiter(), 2, 0);
    drop(others);
    expect(&service.limiter(), 0, 0);
}
