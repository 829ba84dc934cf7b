//! Another service answers what a limiter turns away.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task};
use tokio::time::advance;
use tower::{Layer, Service, service_fn};
use tower_inflight::{
    AdaptiveAimdLayer, ConcurrencyLimitLayer, Error, Fallback, Limiter, PriorityQueueLayer, Reason,
    Rejected,
};

/// It cannot be cloned: a fallback gets the very same.
#[derive(Debug, Eq, PartialEq)]
struct Request(i32);

type Inner = ScriptedService<i32, Answer, &'static str>;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Answer {
    Fresh(i32),
    Stale(i32, Reason),
}

/// The scripted services want to keep a copy of what they are called with.
#[derive(Clone)]
struct Unwrapped(Inner);

impl Service<Request> for Unwrapped {
    type Response = Answer;
    type Error = &'static str;
    type Future = <Inner as Service<i32>>::Future;

    fn poll_ready(
        &mut self,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), &'static str>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, Request(number): Request) -> Self::Future {
        self.0.call(number)
    }
}

fn inner() -> (Script<i32, Answer, &'static str>, Unwrapped) {
    let script = Script::new();
    let service = Unwrapped(script.service());
    (script, service)
}

async fn stale(rejected: Rejected<Request>) -> Result<Answer, &'static str> {
    let Request(number) = rejected.request;
    Ok(Answer::Stale(number, rejected.rejection.reason()))
}

#[test]
fn what_finds_no_room_is_answered_by_the_fallback() {
    let (script, inner) = inner();
    let mut service = ConcurrencyLimitLayer::new(1)
        .fallback(service_fn(stale))
        .layer(inner);
    let mut running = Task::new(service.call(Request(1)));
    running.expect_pending();
    let mut overflow = Task::new(service.call(Request(2)));
    let answer = overflow.expect_ready().unwrap();
    assert_eq!(answer, Answer::Stale(2, Reason::LimitReached));

    script.work().finish(0, Ok(Answer::Fresh(1)));
    assert_eq!(running.expect_ready().unwrap(), Answer::Fresh(1));
    assert_eq!(script.requests(), [1], "the service saw nothing else");
}

#[test]
fn so_is_what_finds_the_line_full_and_what_is_closed_out() {
    let (_script, inner) = inner();
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let mut service = layer.fallback(service_fn(stale)).layer(inner);
    let _held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(service.call(Request(1)));
    waiting.expect_pending();
    let full = Task::new(service.call(Request(2))).expect_ready();
    assert_eq!(full.unwrap(), Answer::Stale(2, Reason::QueueFull));

    limiter.close();
    assert!(waiting.is_woken());
    let closed = waiting.expect_ready().unwrap();
    assert_eq!(closed, Answer::Stale(1, Reason::Closed));
}

#[tokio::test(start_paused = true)]
async fn so_is_what_waits_too_long() {
    let (script, inner) = inner();
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(Duration::from_millis(250))
        .build()
        .unwrap();
    let held = layer.limiter().try_acquire().unwrap();
    let mut service = layer.fallback(service_fn(stale)).layer(inner);
    let mut late = Task::new(service.call(Request(1)));
    late.expect_pending();
    advance(Duration::from_millis(250)).await;
    assert!(late.is_woken());
    let answer = late.expect_ready().unwrap();
    assert_eq!(answer, Answer::Stale(1, Reason::QueueTimeout));
    drop(held);
    assert!(script.requests().is_empty());
}

#[test]
fn so_is_what_is_evicted() {
    let (_script, inner) = inner();
    let layer = PriorityQueueLayer::new(1, 1, |request: &Request| request.0);
    let _held = layer.limiter().try_acquire().unwrap();
    let mut service = layer.fallback(service_fn(stale)).layer(inner);
    let mut low = Task::new(service.call(Request(1)));
    low.expect_pending();
    let mut high = Task::new(service.call(Request(2)));
    high.expect_pending();
    assert!(low.is_woken());
    let answer = low.expect_ready().unwrap();
    assert_eq!(answer, Answer::Stale(1, Reason::QueueEvicted));
}

#[test]
fn an_adaptive_limit_learns_nothing_from_it() {
    let (_script, inner) = inner();
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(1)
        .max_limit(1)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let _held = limiter.try_acquire().unwrap();
    let mut service = layer.fallback(service_fn(stale)).layer(inner);
    let answer = Task::new(service.call(Request(1))).expect_ready();
    assert_eq!(answer.unwrap(), Answer::Stale(1, Reason::LimitReached));
    let adaptation = limiter.adaptation().unwrap();
    assert_eq!(
        (adaptation.baseline(), limiter.snapshot().in_flight),
        (None, 1)
    );
}

#[test]
fn hooks_are_told_before_it_runs() {
    let (_script, inner) = inner();
    let order = Arc::new(Mutex::new(Vec::new()));
    let (hooked, fallen) = (Arc::clone(&order), Arc::clone(&order));
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .on_rejected(move |rejection| hooked.lock().unwrap().push(rejection.reason().as_str()))
        .build()
        .unwrap();
    let _held = layer.limiter().try_acquire().unwrap();
    let fallback = service_fn(move |rejected| {
        fallen.lock().unwrap().push("fallback");
        stale(rejected)
    });
    let mut service = layer.fallback(fallback).layer(inner);
    Task::new(service.call(Request(1))).expect_ready().unwrap();
    assert_eq!(*order.lock().unwrap(), ["limit_reached", "fallback"]);
}

#[test]
fn its_errors_are_the_services() {
    let (_script, inner) = inner();
    let layer = ConcurrencyLimitLayer::new(1);
    let _held = layer.limiter().try_acquire().unwrap();
    let fallback = service_fn(async |_: Rejected<Request>| Err("nothing in the cache"));
    let mut service = layer.fallback(fallback).layer(inner);
    let result = Task::new(service.call(Request(1))).expect_ready();
    assert!(matches!(
        result,
        Err(Error::Service("nothing in the cache"))
    ));
}

#[test]
fn it_is_made_ready_first() {
    let (_script, inner) = inner();
    let layer = ConcurrencyLimitLayer::new(1);
    let _held = layer.limiter().try_acquire().unwrap();
    let stand_in: Script<(), Answer, &str> = Script::new();
    stand_in.set_ready_at_once(0);
    let mut service = layer.fallback(Dressed(stand_in.service())).layer(inner);
    let mut call = Task::new(service.call(Request(1)));
    call.expect_pending();
    assert!(stand_in.requests().is_empty());

    stand_in.set_ready_at_once(1);
    assert!(call.is_woken());
    call.expect_pending();
    stand_in.work().finish(0, Ok(Answer::Fresh(9)));
    assert_eq!(call.expect_ready().unwrap(), Answer::Fresh(9));
}

#[test]
fn one_that_does_not_become_ready_fails_the_call() {
    let (_script, inner) = inner();
    let layer = ConcurrencyLimitLayer::new(1);
    let _held = layer.limiter().try_acquire().unwrap();
    let stand_in: Script<(), Answer, &str> = Script::new();
    stand_in.fail_readiness("down");
    let mut service = layer.fallback(Dressed(stand_in.service())).layer(inner);
    let result = Task::new(service.call(Request(1))).expect_ready();
    assert!(matches!(result, Err(Error::Service("down"))));
}

#[test]
fn one_that_panics_costs_the_limiter_nothing() {
    let (_script, inner) = inner();
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let held = limiter.try_acquire().unwrap();
    let fallback = service_fn(
        async |_: Rejected<Request>| -> Result<Answer, &'static str> {
            panic!("the cache is broken")
        },
    );
    let mut service = layer.fallback(fallback).layer(inner);
    let mut call = Task::new(service.call(Request(1)));
    let caught = catch_unwind(AssertUnwindSafe(|| call.poll()));
    assert!(caught.is_err());
    drop(call);
    assert_eq!(limiter.snapshot().in_flight, 1);
    drop(held);
    assert!(limiter.try_acquire().is_ok());
}

#[test]
fn it_needs_no_permit_and_is_dropped_with_the_call() {
    let (_script, inner) = inner();
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let _held = limiter.try_acquire().unwrap();
    let stand_in: Script<(), Answer, &str> = Script::new();
    let mut service = layer.fallback(Dressed(stand_in.service())).layer(inner);
    let mut call = Task::new(service.call(Request(1)));
    call.expect_pending();
    assert_eq!(limiter.snapshot().in_flight, 1, "the held one alone");
    assert_eq!(stand_in.work().counts().running, 1);
    drop(call);
    assert_eq!(stand_in.work().counts().running, 0);
}

#[test]
fn one_service_serves_several_layers() {
    let shared = Limiter::new(1);
    let (_script, inner) = inner();
    let mut service: Fallback<_, _> = ConcurrencyLimitLayer::from(shared.clone())
        .fallback(service_fn(stale))
        .layer(inner);
    let _held = shared.try_acquire().unwrap();
    let answer = Task::new(service.call(Request(7))).expect_ready();
    assert_eq!(answer.unwrap(), Answer::Stale(7, Reason::LimitReached));
    assert_eq!(service.get_ref().limiter().snapshot().in_flight, 1);
}

#[tokio::test]
async fn where_nothing_can_fail_nothing_is_left_to_fail() {
    let layer = ConcurrencyLimitLayer::new(1);
    let limiter = layer.limiter();
    let cached = service_fn(async |_: Rejected<()>| Ok::<_, Infallible>("cached"));
    let fresh = service_fn(async |()| Ok::<_, Infallible>("fresh"));
    let mut service = layer.fallback(cached).layer(fresh);
    assert_eq!(service.call(()).await.unwrap(), "fresh");
    let _held = limiter.try_acquire().unwrap();
    assert_eq!(service.call(()).await.unwrap(), "cached");
}

/// Lets a scripted service stand in.
#[derive(Clone)]
struct Dressed(ScriptedService<(), Answer, &'static str>);

impl Service<Rejected<Request>> for Dressed {
    type Response = Answer;
    type Error = &'static str;
    type Future = <ScriptedService<(), Answer, &'static str> as Service<()>>::Future;

    fn poll_ready(
        &mut self,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), &'static str>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, _: Rejected<Request>) -> Self::Future {
        self.0.call(())
    }
}
