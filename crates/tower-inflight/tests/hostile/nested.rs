//! Limiters around limiters.

use inflight_test::{Script, ScriptedService, Task};
use tower::{Layer, Service};
use tower_inflight::future::ResponseFuture;
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Error, Limiter};

use crate::wreck::{expect, expect_panic, expect_whole};

type Inner = ScriptedService<u32, u32, &'static str>;
type Call = Task<ResponseFuture<ConcurrencyLimit<Inner>, u32>>;

struct Nested {
    script: Script<u32, u32, &'static str>,
    service: ConcurrencyLimit<ConcurrencyLimit<Inner>>,
    outer: Limiter,
    inner: Limiter,
}

fn nested(outer: Limiter, inner: Limiter) -> Nested {
    let script = Script::new();
    let service = ConcurrencyLimitLayer::from(inner.clone()).layer(script.service());
    let service = ConcurrencyLimitLayer::from(outer.clone()).layer(service);
    Nested {
        script,
        service,
        outer,
        inner,
    }
}

impl Nested {
    fn call(&mut self) -> Call {
        Task::new(self.service.call(1))
    }
}

#[test]
fn who_waits_outside_takes_no_place_inside() {
    let mut nested = nested(Limiter::queued(2, 5), Limiter::queued(1, 5));
    let mut calls: Vec<_> = (0..7).map(|_| nested.call()).collect();
    calls.iter_mut().for_each(Task::expect_pending);
    expect(&nested.outer, 2, 5);
    expect(&nested.inner, 1, 1);
    assert_eq!(nested.script.requests().len(), 1);

    drop(calls);
    expect_whole(&nested.outer);
    expect_whole(&nested.inner);
}

#[test]
fn a_rejection_inside_gives_the_permit_outside_back() {
    let mut nested = nested(Limiter::new(5), Limiter::new(1));
    let mut running = nested.call();
    running.expect_pending();
    for _ in 0..10 {
        let error = nested.call().expect_ready().unwrap_err();
        let Error::Service(Error::Rejected(rejection)) = error else {
            panic!("the inner one rejects: {error}");
        };
        assert_eq!(rejection.limit(), 1);
    }
    expect(&nested.outer, 1, 0);
    drop(running);
    expect_whole(&nested.outer);
    expect_whole(&nested.inner);
}

#[test]
fn a_panic_inside_gives_both_permits_back() {
    let mut nested = nested(Limiter::new(1), Limiter::new(1));
    nested.script.work().panic_at_poll(0, 2);
    let mut call = nested.call();
    call.expect_pending();
    expect_panic(|| call.poll());
    expect_whole(&nested.outer);
    expect_whole(&nested.inner);
}

#[test]
fn the_same_limiter_twice_takes_two_permits_and_hangs_nobody() {
    let limiter = Limiter::new(2);
    let mut twice = nested(limiter.clone(), limiter.clone());
    let mut call = twice.call();
    call.expect_pending();
    expect(&limiter, 2, 0);
    assert!(twice.call().expect_ready().is_err());
    twice.script.work().finish(0, Ok(7));
    assert_eq!(call.expect_ready().unwrap(), 7);
    expect_whole(&limiter);

    let limiter = Limiter::new(1);
    let mut too_often = nested(limiter.clone(), limiter.clone());
    let error = too_often.call().expect_ready().unwrap_err();
    assert!(matches!(error, Error::Service(Error::Rejected(_))));
    expect_whole(&limiter);
}

#[test]
fn a_long_chain_of_limiters_is_as_good_as_the_tightest() {
    let script: Script<u32, u32, &str> = Script::new();
    let limiters = [5, 1, 3].map(Limiter::new);
    let [a, b, c] = limiters.clone().map(ConcurrencyLimitLayer::from);
    let mut service = a.layer(b.layer(c.layer(script.service())));
    let mut calls = [(); 3].map(|()| Task::new(service.call(1)));
    let running = calls
        .iter_mut()
        .filter_map(|call| call.poll().is_pending().then_some(()));
    assert_eq!(running.count(), 1);
    for limiter in &limiters {
        expect(limiter, 1, 0);
    }
    drop(calls);
    limiters.iter().for_each(expect_whole);
}
