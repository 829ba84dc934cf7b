//! Requests that pass without a permit.

use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task};
use tokio::time::advance;
use tower::{Layer, Service};
use tower_inflight::{AdaptiveAimdLayer, ConcurrencyLimitLayer, PriorityQueueLayer, Reason};

type Inner = ScriptedService<Request, u32, &'static str>;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Request {
    Health,
    Work,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "it is called with a reference to each request"
)]
fn is_health(request: &Request) -> bool {
    *request == Request::Health
}

fn script() -> (Script<Request, u32, &'static str>, Inner) {
    let script = Script::new();
    let service = script.service();
    (script, service)
}

#[test]
fn they_pass_where_nothing_else_does_and_take_nothing() {
    let (script, inner) = script();
    let layer = ConcurrencyLimitLayer::queued(1, 1).with_exempt(is_health);
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    let mut calls = [0; 2].map(|_| Task::new(service.call(Request::Work)));
    calls.iter_mut().for_each(Task::expect_pending);
    let before = limiter.snapshot();
    assert_eq!((before.in_flight, before.queued), (1, 1));

    let mut health = [0; 10].map(|_| Task::new(service.call(Request::Health)));
    health.iter_mut().for_each(Task::expect_pending);
    assert_eq!(limiter.snapshot(), before);
    assert_eq!(script.work().counts().running, 11);
    for (call, health) in (1..).zip(&mut health) {
        script.work().finish(call, Ok(200));
        assert_eq!(health.expect_ready().unwrap(), 200);
    }
    assert_eq!(limiter.snapshot(), before, "and nothing came back");
    assert!(!calls[1].is_woken());
}

#[test]
fn a_closed_limiter_lets_them_pass() {
    let (script, inner) = script();
    let layer = ConcurrencyLimitLayer::new(1).with_exempt(is_health);
    layer.limiter().close();
    let mut service = layer.layer(inner);
    let error = Task::new(service.call(Request::Work))
        .expect_ready()
        .unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::Closed);
    let mut health = Task::new(service.call(Request::Health));
    health.expect_pending();
    script.work().finish(0, Ok(200));
    assert_eq!(health.expect_ready().unwrap(), 200);
}

#[test]
fn a_limiter_is_drained_while_they_run() {
    let (_script, inner) = script();
    let layer = ConcurrencyLimitLayer::new(1).with_exempt(is_health);
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    let mut work = Task::new(service.call(Request::Work));
    let mut health = Task::new(service.call(Request::Health));
    let mut drained = Task::new(limiter.drained());
    work.expect_pending();
    health.expect_pending();
    drained.expect_pending();
    drop(work);
    assert!(drained.is_woken());
    drained.expect_ready();
    drop(health);
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[test]
fn they_wait_for_the_service_as_everyone_does() {
    let (script, inner) = script();
    script.set_ready_at_once(0);
    let mut service = ConcurrencyLimitLayer::new(1)
        .with_exempt(is_health)
        .layer(inner);
    let mut health = Task::new(service.call(Request::Health));
    health.expect_pending();
    assert!(script.requests().is_empty());
    script.set_ready_at_once(1);
    assert!(health.is_woken());
    health.expect_pending();
    assert_eq!(script.requests(), [Request::Health]);
}

#[test]
fn whatever_ends_them_gives_nothing_back() {
    let (script, inner) = script();
    let layer = PriorityQueueLayer::new(1, 0, |_: &Request| 0).with_exempt(is_health);
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    let mut failing = Task::new(service.call(Request::Health));
    failing.expect_pending();
    script.work().finish(0, Err("down"));
    assert_eq!(
        failing.expect_ready().unwrap_err().into_service().unwrap(),
        "down"
    );
    drop(service.call(Request::Health));
    script.fail_readiness("not ready");
    let mut unready = Task::new(service.call(Request::Health));
    let error = unready.expect_ready().unwrap_err();
    assert_eq!(error.into_service().unwrap(), "not ready");
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.in_flight, snapshot.available), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn an_adaptive_limit_learns_nothing_from_them() {
    let (script, inner) = script();
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(4)
        .exempt(is_health)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    for request in [Request::Health, Request::Work] {
        for _ in 0..2 {
            script.answer_with(|_| Err("overloaded"));
            let _ = service.call(request).await;
            advance(Duration::from_secs(1)).await;
        }
        let expected = if is_health(&request) { 4 } else { 3 };
        assert_eq!(limiter.snapshot().limit, expected, "after {request:?}");
    }
}
