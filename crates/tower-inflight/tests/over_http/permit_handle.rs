//! Work that outlives its request, and its permit.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use tokio::sync::Notify;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready};
use tower::{Layer, Service, ServiceBuilder, service_fn};
use tower_inflight::http::{HeldPermit, PermitHandle, UntilBody};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, UntilResponse};

fn handle(request: &Request<()>) -> PermitHandle {
    request.extensions().get::<PermitHandle>().unwrap().clone()
}

fn in_flight(limiter: &Limiter) -> usize {
    limiter.snapshot().in_flight
}

#[tokio::test]
async fn an_unclaimed_handle_in_the_response_prolongs_nothing() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilResponse.with_handle());
    let limiter = limit.limiter();
    let mut service = limit.layer(service_fn(async |request: Request<()>| {
        let mut response = Response::new(());
        response
            .extensions_mut()
            .extend(request.extensions().clone());
        Ok::<_, Infallible>(response)
    }));
    let response = service.call(Request::new(())).await.unwrap();
    assert_eq!(in_flight(&limiter), 0);
    let handle: &PermitHandle = response.extensions().get().unwrap();
    assert!(handle.hold().is_none(), "it is too late");
}

#[tokio::test]
async fn one_who_holds_it_keeps_the_permit_after_the_response() {
    let limit = ConcurrencyLimitLayer::queued(1, 1).with_hold(UntilResponse.with_handle());
    let limiter = limit.limiter();
    let mut service = limit.layer(service_fn(async |request: Request<()>| {
        Ok::<_, Infallible>(Response::new(handle(&request).hold()))
    }));
    let response = service.call(Request::new(())).await.unwrap();
    let held: HeldPermit = response.into_body().unwrap();
    assert_eq!(in_flight(&limiter), 1);

    // The same for one who has waited.
    let mut next = spawn(service.call(Request::new(())));
    assert_pending!(next.poll());
    drop(held);
    assert!(next.is_woken());
    let held = assert_ready!(next.poll()).unwrap().into_body().unwrap();
    assert_eq!(in_flight(&limiter), 1);
    drop(held);
    assert_eq!(in_flight(&limiter), 0);
}

// F13
#[tokio::test]
async fn work_that_outlives_a_request_that_is_dropped_keeps_the_permit() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilResponse.with_handle());
    let limiter = limit.limiter();
    let end = Arc::new(Notify::new());
    let ended = Arc::clone(&end);
    let mut service = limit.layer(service_fn(move |request: Request<()>| {
        let (held, ended) = (handle(&request).hold(), Arc::clone(&ended));
        let work = tokio::spawn(async move {
            ended.notified().await;
            drop(held);
        });
        async {
            work.await.unwrap();
            Ok::<_, Infallible>(Response::new(()))
        }
    }));
    let mut call = spawn(service.call(Request::new(())));
    assert_pending!(call.poll());
    drop(call);
    assert_eq!(in_flight(&limiter), 1);
    end.notify_one();
    limiter.drained().await;
}

#[tokio::test]
async fn a_body_and_work_each_keep_it() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody.with_handle());
    let limiter = limit.limiter();
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let mut service = limit.layer(service_fn(move |request: Request<()>| {
        sender.send(handle(&request).hold().unwrap()).unwrap();
        async { Ok::<_, Infallible>(Response::new(Full::<Bytes>::from("answer"))) }
    }));
    for body_first in [true, false] {
        let response = service.call(Request::new(())).await.unwrap();
        let held = receiver.recv().await.unwrap();
        assert_eq!(in_flight(&limiter), 1);
        if body_first {
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

#[tokio::test]
async fn the_handle_of_nested_limits_is_that_of_all_of_them() {
    let outer = ConcurrencyLimitLayer::new(1).with_hold(UntilResponse.with_handle());
    let plain = ConcurrencyLimitLayer::new(1);
    let inner = ConcurrencyLimitLayer::new(1).with_hold(UntilResponse.with_handle());
    let limiters = [outer.limiter(), plain.limiter(), inner.limiter()];
    let mut service = ServiceBuilder::new()
        .layer(outer)
        .layer(plain)
        .layer(inner)
        .service(service_fn(async |request: Request<()>| {
            Ok::<_, Infallible>(Response::new(handle(&request).hold()))
        }));
    let response = service.call(Request::new(())).await.unwrap();
    assert_eq!(limiters.each_ref().map(in_flight), [1, 0, 1]);
    drop(response);
    assert_eq!(limiters.each_ref().map(in_flight), [0, 0, 0]);
}

#[tokio::test]
async fn nobody_who_has_not_asked_for_it_gets_one() {
    let mut service =
        ConcurrencyLimitLayer::new(1).layer(service_fn(async |request: Request<()>| {
            let has_one = request.extensions().get::<PermitHandle>().is_some();
            Ok::<_, Infallible>(Response::new(has_one))
        }));
    let response = service.call(Request::new(())).await.unwrap();
    assert!(!response.into_body());
}

#[test]
fn both_can_go_anywhere() {
    fn anywhere<T: Send + Sync + Unpin + 'static>() {}
    anywhere::<PermitHandle>();
    anywhere::<HeldPermit>();
}
