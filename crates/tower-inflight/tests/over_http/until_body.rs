//! Permits that live as long as a body.

use std::convert::Infallible;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body::{Body, Frame};
use http_body_util::Full;
use metrics::with_local_recorder;
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use tokio::time::{advance, sleep};
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready};
use tower::{Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::http::{PermitBody, RespondLayer, UntilBody, by_status};
use tower_inflight::{AdaptiveAimdLayer, ConcurrencyLimitLayer, Limiter};

use crate::bodies::{Watched, data, pieces, poll};

/// What comes of a response that goes through a limit of 1, and its limiter.
async fn through<B: Body>(
    limiter: Limiter,
    method: Method,
    response: Response<B>,
) -> Response<PermitBody<B>> {
    let limit = ConcurrencyLimitLayer::from(limiter).with_hold(UntilBody);
    let response = Arc::new(Mutex::new(Some(response)));
    let service = limit.layer(service_fn(move |_| {
        let response = response.lock().unwrap().take().unwrap();
        async move { Ok::<_, Infallible>(response) }
    }));
    let mut request = Request::new(());
    *request.method_mut() = method;
    service.oneshot(request).await.unwrap()
}

async fn held<B: Body>(limiter: &Limiter, body: B) -> PermitBody<B> {
    let response = through(limiter.clone(), Method::GET, Response::new(body)).await;
    response.into_body()
}

fn in_flight(limiter: &Limiter) -> usize {
    limiter.snapshot().in_flight
}

// F113
#[tokio::test]
async fn a_permit_lives_until_the_body_has_ended() {
    let limiter = Limiter::queued(1, 1);
    let (sender, body) = pieces();
    let mut body = held(&limiter, body).await;
    let mut next = spawn(limiter.acquire());
    for _ in 0..3 {
        assert_pending!(poll(&mut body));
        sender.send(Ok(data())).unwrap();
        assert!(assert_ready!(poll(&mut body)).unwrap().is_ok());
        assert_pending!(next.poll());
    }
    drop(sender);
    assert!(assert_ready!(poll(&mut body)).is_none());
    assert!(next.is_woken());
    drop(assert_ready!(next.poll()).unwrap());

    // It is over, and stays so.
    assert!(body.is_end_stream());
    assert_eq!(body.size_hint().exact(), Some(0));
    assert!(assert_ready!(poll(&mut body)).is_none());
}

#[tokio::test]
async fn trailers_are_the_end() {
    let limiter = Limiter::new(1);
    let (sender, body) = pieces();
    let mut body = held(&limiter, body).await;
    sender.send(Ok(data())).unwrap();
    sender.send(Ok(Frame::trailers(HeaderMap::new()))).unwrap();
    assert!(assert_ready!(poll(&mut body)).unwrap().unwrap().is_data());
    assert_eq!(in_flight(&limiter), 1);
    assert!(
        assert_ready!(poll(&mut body))
            .unwrap()
            .unwrap()
            .is_trailers()
    );
    assert_eq!(in_flight(&limiter), 0);
}

#[tokio::test]
async fn an_error_is_the_end() {
    let limiter = Limiter::new(1);
    let (sender, body) = pieces();
    let mut body = held(&limiter, body).await;
    sender.send(Err(io::Error::other("broken"))).unwrap();
    let error = assert_ready!(poll(&mut body)).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "broken");
    assert_eq!(in_flight(&limiter), 0);
}

#[tokio::test]
async fn to_drop_it_is_the_end() {
    let limiter = Limiter::new(1);
    let (_sender, body) = pieces();
    let mut body = held(&limiter, body).await;
    assert_pending!(poll(&mut body));
    assert_eq!(in_flight(&limiter), 1);
    drop(body);
    assert_eq!(in_flight(&limiter), 0);
}

/// A server that knows that nothing comes after it does not ask again.
#[tokio::test]
async fn a_last_piece_that_is_known_as_such_is_the_end() {
    let limiter = Limiter::new(1);
    let mut body = held(&limiter, Full::<Bytes>::from("all of it")).await;
    assert_eq!(body.size_hint().exact(), Some(9));
    assert!(!body.is_end_stream());
    assert_eq!(in_flight(&limiter), 1);

    let piece = assert_ready!(poll(&mut body)).unwrap().unwrap();
    assert_eq!(piece.into_data().unwrap(), "all of it");
    assert!(body.is_end_stream());
    assert_eq!(in_flight(&limiter), 0);
}

#[tokio::test]
async fn what_has_no_body_gives_the_permit_back_with_the_response() {
    let limiter = Limiter::new(1);
    for (method, status) in [
        (Method::HEAD, StatusCode::OK),
        (Method::GET, StatusCode::SWITCHING_PROTOCOLS),
        (Method::GET, StatusCode::NO_CONTENT),
        (Method::GET, StatusCode::NOT_MODIFIED),
    ] {
        let (_sender, body) = pieces();
        let mut response = Response::new(body);
        *response.status_mut() = status;
        let response = through(limiter.clone(), method, response).await;
        assert_eq!(in_flight(&limiter), 0, "{status}");
        assert_eq!(response.status(), status);
        assert!(!response.body().is_end_stream(), "it is passed on as it is");
    }
    let body = held(&limiter, Full::<Bytes>::default()).await;
    assert_eq!(in_flight(&limiter), 0);
    assert!(body.is_end_stream());
}

#[tokio::test]
async fn a_body_that_panics_gives_the_permit_back_at_that_moment() {
    let limiter = Limiter::new(1);
    let body = Watched {
        on_poll: || panic!("in the body"),
        on_drop: || (),
    };
    let mut body = held(&limiter, body).await;
    let caught = catch_unwind(AssertUnwindSafe(|| poll(&mut body).is_ready()));
    assert!(caught.is_err());
    assert_eq!(in_flight(&limiter), 0, "and the body is still there");
}

#[tokio::test]
async fn the_body_is_gone_before_the_permit_goes_back() {
    let limiter = Limiter::new(1);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watched = || {
        let (limiter, seen) = (limiter.clone(), Arc::clone(&seen));
        Watched {
            on_poll: || (),
            on_drop: move || seen.lock().unwrap().push(in_flight(&limiter)),
        }
    };
    drop(held(&limiter, watched()).await);
    let mut body = held(&limiter, watched()).await;
    assert!(assert_ready!(poll(&mut body)).is_none());
    assert_eq!(*seen.lock().unwrap(), [1, 1]);
    assert_eq!(in_flight(&limiter), 0);
}

#[tokio::test]
async fn the_answer_to_a_rejection_and_a_call_that_is_exempt_hold_nothing() {
    let limit = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .exempt(|request: &Request<()>| request.uri().path() == "/health")
        .hold(UntilBody)
        .build()
        .unwrap();
    let limiter = limit.limiter();
    let mut service = ServiceBuilder::new()
        .layer(RespondLayer::new())
        .layer(limit)
        .service(service_fn(async |_| {
            Ok::<_, Infallible>(Response::new(Full::<Bytes>::from("answer")))
        }));
    let answer = service.call(Request::new(())).await.unwrap();
    let health = Request::get("/health").body(()).unwrap();
    let health = service.call(health).await.unwrap();
    assert_eq!(health.status(), StatusCode::OK);
    let rejected = service.call(Request::new(())).await.unwrap();
    assert_eq!(rejected.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(in_flight(&limiter), 1);
    drop(answer);
    assert_eq!(in_flight(&limiter), 0);
    drop((health, rejected));
}

#[tokio::test(start_paused = true)]
async fn what_an_adaptive_limit_learns_ends_with_the_response() {
    let limit = AdaptiveAimdLayer::builder()
        .classify(by_status)
        .hold(UntilBody)
        .build()
        .unwrap();
    let limiter = limit.limiter();
    let mut service = limit.layer(service_fn(async |_: Request<()>| {
        sleep(Duration::from_millis(5)).await;
        Ok::<_, Infallible>(Response::new(Full::<Bytes>::from("answer")))
    }));
    let slow_reader = service.call(Request::new(())).await.unwrap();
    advance(Duration::from_secs(10)).await;
    assert_eq!(in_flight(&limiter), 1);
    drop(slow_reader);

    drop(service.call(Request::new(())).await.unwrap());
    let adaptation = limiter.adaptation().unwrap();
    assert_eq!(adaptation.baseline(), Some(Duration::from_millis(5)));
    assert_eq!(in_flight(&limiter), 0);
}

#[test]
fn it_can_go_wherever_its_body_can() {
    fn anywhere<T: Send + Sync + Unpin + 'static>() {}
    anywhere::<PermitBody<Full<Bytes>>>();
}

#[tokio::test(start_paused = true)]
async fn the_service_time_ends_with_the_response_and_an_early_drop_is_no_cancellation() {
    let recorder = DebuggingRecorder::new();
    let limit = with_local_recorder(&recorder, || {
        ConcurrencyLimitLayer::new(1).with_hold(UntilBody)
    });
    let mut service = limit.layer(service_fn(async |_: Request<()>| {
        sleep(Duration::from_millis(5)).await;
        Ok::<_, Infallible>(Response::new(Full::<Bytes>::from("answer")))
    }));
    let response = service.call(Request::new(())).await.unwrap();
    advance(Duration::from_secs(10)).await;
    drop(response);

    let (mut times, mut cancelled) = (Vec::new(), Vec::new());
    for (key, _, _, value) in recorder.snapshotter().snapshot().into_vec() {
        match (key.key().name(), value) {
            ("inflight_service_seconds", DebugValue::Histogram(seconds)) => {
                times.extend(seconds.into_iter().map(f64::from));
            }
            ("inflight_cancelled_total", DebugValue::Counter(count)) => cancelled.push(count),
            _ => (),
        }
    }
    assert_eq!(times, [0.005]);
    assert_eq!(cancelled, [0, 0]);
}
