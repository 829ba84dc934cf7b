//! Handles that are claimed twice, too late, in copies, or for nothing.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::thread;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::Full;
use inflight_test::{Task, count_allocations, poll_once};
use tower::retry::{Policy, RetryLayer};
use tower::{Layer, Service, ServiceBuilder, service_fn};
use tower_inflight::http::{HeldPermit, PermitHandle, RespondLayer, UntilBody};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Rejected, UntilResponse};

use crate::panicking::expect_panic;

type Answer = Response<Full<Bytes>>;

fn handle(request: &Request<()>) -> Option<PermitHandle> {
    request.extensions().get().cloned()
}

fn in_flight(limiter: &Limiter) -> usize {
    limiter.snapshot().in_flight
}

/// The handles of the requests that a service has seen.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<PermitHandle>>>);

impl Seen {
    fn see(&self, request: &Request<()>) {
        self.0.lock().unwrap().extend(handle(request));
    }

    fn take(&self) -> Vec<PermitHandle> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Answers 503 so many times before it answers 200, and keeps the handles.
fn flaky(
    seen: &Seen,
    failures: usize,
) -> impl Service<
    Request<()>,
    Response = Answer,
    Error = Infallible,
    Future = Ready<Result<Answer, Infallible>>,
> + Clone {
    let (seen, left) = (seen.clone(), Arc::new(Mutex::new(failures)));
    service_fn(move |request: Request<()>| {
        seen.see(&request);
        let mut response = Response::new(Full::from("answer"));
        let mut left = left.lock().unwrap();
        if let Some(fewer) = left.checked_sub(1) {
            *left = fewer;
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        }
        ready(Ok(response))
    })
}

#[tokio::test]
async fn each_claim_counts_and_the_last_to_end_gives_it_back() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody.with_handle());
    let limiter = limit.limiter();
    let seen = Seen::default();
    let mut service = limit.layer(flaky(&seen, 0));
    let response = service.call(Request::new(())).await.unwrap();
    let handle = seen.take().remove(0);
    let mut claims: Vec<HeldPermit> = (0..10).filter_map(|_| handle.clone().hold()).collect();
    assert_eq!(claims.len(), 10);
    drop(response);
    claims.extend(handle.hold());
    while let Some(claim) = claims.pop() {
        assert_eq!(in_flight(&limiter), 1);
        drop(claim);
    }
    assert_eq!(in_flight(&limiter), 0);
    assert!(handle.hold().is_none());
}

/// A retry outside asks anew each time: for one permit, with one handle.
#[tokio::test]
async fn a_retry_outside_has_given_the_permit_back_before_it_asks_again() {
    for claims in [false, true] {
        let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody.with_handle());
        let limiter = limit.limiter();
        let seen = Seen::default();
        let mut service = ServiceBuilder::new()
            .layer(RetryLayer::new(Again(3)))
            .layer(RespondLayer::new())
            .layer(limit)
            .service(flaky(&seen, 2));
        let response = service.call(Request::new(())).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let handles = seen.take();
        assert_eq!(handles.len(), 3);
        let held: Vec<_> = handles.iter().map(PermitHandle::hold).collect();
        assert_eq!(held.iter().flatten().count(), 1, "that of the last");
        assert!(held[2].is_some());
        if claims {
            drop(response);
            assert_eq!(in_flight(&limiter), 1);
            drop(held);
        } else {
            drop(held);
            assert_eq!(in_flight(&limiter), 1);
            drop(response);
        }
        assert_eq!(in_flight(&limiter), 0);
    }
}

/// A retry inside goes on with the permit, and with copies of its handle.
#[tokio::test]
async fn a_retry_inside_shares_one_handle() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilResponse.with_handle());
    let limiter = limit.limiter();
    let seen = Seen::default();
    let mut service = ServiceBuilder::new()
        .layer(limit)
        .layer(RetryLayer::new(Again(3)))
        .service(flaky(&seen, 2));
    let mut call = Task::new(service.call(Request::new(())));
    call.expect_ready().unwrap();
    assert_eq!(in_flight(&limiter), 0, "the finished call is still there");
    let handles = seen.take();
    assert_eq!(handles.len(), 3);
    assert!(handles.iter().all(|handle| handle.hold().is_none()));
}

#[derive(Clone)]
struct Again(usize);

impl<B, E> Policy<Request<()>, Response<B>, E> for Again {
    type Future = Ready<()>;

    fn retry(
        &mut self,
        _: &mut Request<()>,
        result: &mut Result<Response<B>, E>,
    ) -> Option<Ready<()>> {
        let status = result.as_ref().ok()?.status();
        (status != StatusCode::OK).then(|| ready(()))
    }

    fn clone_request(&mut self, request: &Request<()>) -> Option<Request<()>> {
        self.0 = self.0.checked_sub(1)?;
        Some(request.clone())
    }
}

#[test]
fn what_is_turned_away_has_no_handle_and_what_is_exempt_holds_nothing() {
    let limit = ConcurrencyLimitLayer::queued(1, 1)
        .with_exempt(|request: &Request<()>| request.uri() == "/health")
        .with_hold(UntilBody.with_handle());
    let limiter = limit.limiter();
    let seen = Seen::default();
    let refused = Seen::default();
    let inner = flaky(&seen, 0);
    let fallback = {
        let refused = refused.clone();
        service_fn(move |rejected: Rejected<Request<()>>| {
            refused.see(&rejected.request);
            ready(Ok(Response::new(Full::from("stale"))))
        })
    };
    let mut service = limit.fallback(fallback).layer(inner);
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(service.call(Request::new(())));
    waiting.expect_pending();
    let full = Task::new(service.call(Request::new(()))).expect_ready();
    limiter.close();
    let closed = waiting.expect_ready();
    assert!(refused.take().is_empty());
    drop((full, closed, held));

    let health = Request::get("/health").body(()).unwrap();
    let response = Task::new(service.call(health)).expect_ready().unwrap();
    let claim = seen.take().remove(0).hold();
    assert!(claim.is_some(), "there is something to hold");
    assert_eq!(in_flight(&limiter), 0, "and it weighs nothing");
    Task::new(limiter.drained()).expect_ready();
    drop((response, claim));
    assert_eq!(in_flight(&limiter), 0);
}

#[test]
fn a_claim_outlives_a_panic_of_its_service() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilResponse.with_handle());
    let limiter = limit.limiter();
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut service = limit.layer(service_fn(
        move |request: Request<()>| -> Ready<Result<Response<()>, Infallible>> {
            sender.send(handle(&request).unwrap().hold()).unwrap();
            panic!("in the service");
        },
    ));
    let mut call = Task::new(service.call(Request::new(())));
    expect_panic(|| call.poll());
    assert_eq!(in_flight(&limiter), 1);
    drop(receiver.recv().unwrap());
    assert_eq!(in_flight(&limiter), 0, "and the call is still there");
}

/// Whoever comes at the very end gets the permit, or is told that it is gone.
#[test]
fn a_claim_at_the_very_end_holds_all_of_it_or_nothing() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody.with_handle());
    let limiter = limit.limiter();
    let seen = Seen::default();
    let mut service = limit.layer(flaky(&seen, 0));
    for _ in 0..500 {
        let response = Task::new(service.call(Request::new(()))).expect_ready();
        let handle = seen.take().remove(0);
        let (this, other) = thread::scope(|scope| {
            let dropping = scope.spawn(move || drop(response));
            let other = scope.spawn({
                let handle = handle.clone();
                move || handle.hold()
            });
            let this = handle.hold();
            dropping.join().unwrap();
            (this, other.join().unwrap())
        });
        let is_held = this.is_some() || other.is_some();
        assert_eq!(in_flight(&limiter), usize::from(is_held));
        drop((this, other));
        assert_eq!(in_flight(&limiter), 0);
        assert!(handle.hold().is_none());
    }
}

#[test]
fn nothing_is_left_of_a_handle() {
    let outer = ConcurrencyLimitLayer::new(1).with_hold(UntilResponse.with_handle());
    let inner = ConcurrencyLimitLayer::new(1).with_hold(UntilBody.with_handle());
    let answer = service_fn(|request: Request<()>| {
        let claim = handle(&request).unwrap().hold();
        let mut response = Response::new(Full::<Bytes>::from("answer"));
        *response.extensions_mut() = request.extensions().clone();
        drop(claim);
        ready(Ok::<_, Infallible>(response))
    });
    let mut service = ServiceBuilder::new()
        .layer(outer)
        .layer(inner)
        .service(answer);
    let mut round = || {
        let mut call = service.call(Request::new(()));
        assert!(poll_once(&mut call).is_ready());
    };
    round();
    let allocations = count_allocations(|| (0..100).for_each(|_| round())).1;
    assert_eq!((allocations.retained, allocations.retained_bytes), (0, 0));
}
