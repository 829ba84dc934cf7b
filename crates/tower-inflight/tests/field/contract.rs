//! What a service promises, to its callers and to what it wraps.

use std::task::{Context, Poll, Waker};

use inflight_test::{CountingWaker, Script, ScriptedService, Task};
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Error, Reason};

use crate::workshop::expect;

type Inner = ScriptedService<u32, u32, &'static str>;

fn limited(
    max_concurrency: usize,
    queue_limit: usize,
) -> (Script<u32, u32, &'static str>, ConcurrencyLimit<Inner>) {
    let script = Script::new();
    let layer = ConcurrencyLimitLayer::queued(max_concurrency, queue_limit);
    let service = layer.layer(script.service());
    (script, service)
}

fn poll_ready(
    service: &mut ConcurrencyLimit<Inner>,
    waker: &Waker,
) -> Poll<Result<(), Error<&'static str>>> {
    service.poll_ready(&mut Context::from_waker(waker))
}

// F79
#[test]
fn clones_that_are_all_ready_are_not_all_admitted_and_none_is_woken_in_vain() {
    let (script, service) = limited(1, 4);
    let counter = CountingWaker::new();
    let mut clones = vec![service; 10];
    for clone in &mut clones {
        assert!(poll_ready(clone, &counter.waker()).is_ready());
    }
    let mut calls: Vec<_> = clones
        .iter_mut()
        .map(|clone| Task::new(clone.call(1)))
        .collect();
    calls[..5].iter_mut().for_each(Task::expect_pending);
    for call in &mut calls[5..] {
        let error = call.expect_ready().unwrap_err();
        assert_eq!(error.rejection().unwrap().reason(), Reason::QueueFull);
    }
    assert_eq!(script.work().counts().peak, 1);
    assert_eq!(counter.wakes(), 0);
    assert!(calls.iter().all(|call| call.wakes() == 0));

    // A future that is dropped counts down as one that has ended does.
    calls.drain(..5).for_each(drop);
    expect(&clones[0].limiter(), 0, 0);
}

// F83
#[test]
fn clones_that_were_ready_and_forgotten_keep_nobody_out() {
    let (script, service) = limited(2, 0);
    let mut forgotten = [service.clone(), service.clone()];
    for clone in &mut forgotten {
        assert!(poll_ready(clone, Waker::noop()).is_ready());
    }
    let mut third = service.clone();
    assert!(poll_ready(&mut third, Waker::noop()).is_ready());
    let mut call = Task::new(third.call(3));
    script.work().finish(0, Ok(30));
    assert_eq!(call.expect_ready().unwrap(), 30);
}

// F85
#[test]
fn readiness_is_that_of_the_service_where_there_is_room() {
    let (script, mut service) = limited(1, 0);
    script.set_ready_at_once(0);
    let counter = CountingWaker::new();
    assert!(poll_ready(&mut service, &counter.waker()).is_pending());
    script.set_ready_at_once(1);
    assert_eq!(counter.wakes(), 1);
    assert!(poll_ready(&mut service, &counter.waker()).is_ready());
}

// F87
#[test]
fn an_error_of_readiness_is_told_once_and_to_one_caller() {
    let (script, mut service) = limited(1, 2);
    let mut running = Task::new(service.call(0));
    running.expect_pending();
    let mut unlucky = Task::new(service.call(1));
    let mut behind = Task::new(service.call(2));
    unlucky.expect_pending();
    behind.expect_pending();

    script.fail_readiness("broken");
    script.work().finish(0, Ok(0));
    running.expect_ready().unwrap();
    let error = unlucky.expect_ready().unwrap_err();
    assert!(matches!(error, Error::Service("broken")));
    behind.expect_pending();
    script.work().finish(1, Ok(20));
    assert_eq!(behind.expect_ready().unwrap(), 20);

    let mut clone = service.clone();
    assert!(poll_ready(&mut clone, Waker::noop()).is_ready());
    expect(&service.limiter(), 0, 0);
}

// F89
#[test]
fn each_call_weighs_what_its_own_request_says() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::queued(4, 2).with_weight(|request: &u32| *request);
    let mut service = layer.layer(script.service());
    let limiter = service.limiter();
    let held = service.call(4);
    let mut light = Task::new(service.call(1));
    light.expect_pending();
    let mut heavy = Task::new(service.call(3));
    heavy.expect_pending();

    drop(held);
    expect(&limiter, 4, 0);
    heavy.expect_pending();
    light.expect_pending();
    script.work().finish(0, Ok(0));
    assert!(heavy.expect_ready().is_ok());
    expect(&limiter, 1, 0);
    drop(light);
    expect(&limiter, 0, 0);
}
