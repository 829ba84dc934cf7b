//! Services, bodies and requests that panic when they are destroyed.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use inflight_test::Task;
use tower::{Layer, Service, service_fn};
use tower_inflight::http::{UntilBody, by_status};
use tower_inflight::{AdaptiveAimdLayer, ConcurrencyLimitLayer};

use crate::panicking::expect_panic;

/// A call that has an answer at once, and panics when it is destroyed.
struct Thankless(Option<Response<Full<Bytes>>>);

impl Future for Thankless {
    type Output = Result<Response<Full<Bytes>>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(Ok(self.0.take().unwrap()))
    }
}

impl Drop for Thankless {
    fn drop(&mut self) {
        assert!(self.0.is_some(), "it has answered");
    }
}

fn thankless(_: Request<()>) -> Thankless {
    Thankless(Some(Response::new(Full::from("answer"))))
}

#[test]
fn a_response_that_the_service_takes_back_by_a_panic_takes_its_permit_along() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody);
    let limiter = limit.limiter();
    let mut service = limit.layer(service_fn(thankless));
    let mut call = Task::new(service.call(Request::new(())));
    expect_panic(|| call.poll());
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[test]
fn so_it_does_under_an_adaptive_limit() {
    let limit = AdaptiveAimdLayer::builder()
        .classify(by_status)
        .hold(UntilBody)
        .build()
        .unwrap();
    let limiter = limit.limiter();
    let mut service = limit.layer(service_fn(thankless));
    let mut call = Task::new(service.call(Request::new(())));
    expect_panic(|| call.poll());
    assert_eq!(limiter.snapshot().in_flight, 0);
}
