//! How long callers will still wait.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::{HeaderValue, Request, StatusCode};
use tokio::time::{Instant, advance};
use tokio_test::assert_pending;
use tokio_test::task::spawn;
use tower::ServiceExt;
use tower_inflight::ConcurrencyLimitLayer;
use tower_inflight::http::{
    Deadline, RespondLayer, time_left_from_extension, time_left_from_grpc_timeout,
    time_left_from_header,
};

fn with(name: &'static str, values: &[&'static str]) -> Request<()> {
    let mut request = Request::new(());
    for &value in values {
        let value = HeaderValue::from_static(value);
        request.headers_mut().append(name, value);
    }
    request
}

#[test]
fn a_header_counts_in_its_unit() {
    let seconds = time_left_from_header("x-timeout", Duration::from_secs(1));
    for (said, left) in [
        ("3", Some(Duration::from_secs(3))),
        ("0", Some(Duration::ZERO)),
        ("-3", Some(Duration::ZERO)),
        ("99999999999999999999999", Some(Duration::MAX)),
        (
            "99999999999999999999999999999999999999999",
            Some(Duration::MAX),
        ),
        (
            "-99999999999999999999999999999999999999999",
            Some(Duration::ZERO),
        ),
        ("9, 3, 5", Some(Duration::from_secs(3))),
        ("1.5", None),
        ("soon", None),
    ] {
        assert_eq!(seconds(&with("x-timeout", &[said])), left, "{said:?}");
    }
    assert_eq!(seconds(&with("x-other", &["3"])), None);
}

#[test]
fn of_several_values_the_shortest_counts() {
    let millis = time_left_from_header("x-timeout", Duration::from_millis(1));
    let request = with("x-timeout", &["500", "20", "never"]);
    assert_eq!(millis(&request), Some(Duration::from_millis(20)));

    let request = with("grpc-timeout", &["1H", "5S", "1x"]);
    let left = time_left_from_grpc_timeout(&request);
    assert_eq!(left, Some(Duration::from_secs(5)));
    let request = with("grpc-timeout", &["1H,5S , 1x"]);
    let left = time_left_from_grpc_timeout(&request);
    assert_eq!(left, Some(Duration::from_secs(5)));
}

#[test]
fn grpc_timeouts_are_read_as_the_protocol_has_them() {
    for (said, left) in [
        ("1H", Some(Duration::from_secs(3_600))),
        ("2M", Some(Duration::from_secs(120))),
        ("3S", Some(Duration::from_secs(3))),
        ("4m", Some(Duration::from_millis(4))),
        ("5u", Some(Duration::from_micros(5))),
        ("6n", Some(Duration::from_nanos(6))),
        ("0n", Some(Duration::ZERO)),
        ("99999999H", Some(Duration::from_secs(99_999_999 * 3_600))),
        ("100000000n", None),
        ("12", None),
        ("m", None),
        ("", None),
        ("-1S", None),
        ("+1S", None),
        ("1s", None),
        ("1 S", None),
    ] {
        let request = with("grpc-timeout", &[said]);
        assert_eq!(time_left_from_grpc_timeout(&request), left, "{said:?}");
    }
    let mut request = Request::new(());
    let value = HeaderValue::from_bytes("1µ".as_bytes()).unwrap();
    request.headers_mut().insert("grpc-timeout", value);
    assert_eq!(time_left_from_grpc_timeout(&request), None);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_shrinks_as_time_goes_by_and_never_below_nothing() {
    let mut request = Request::new(());
    assert_eq!(time_left_from_extension(&request), None);

    let deadline = Deadline::after(Duration::from_secs(2)).unwrap();
    assert_eq!(deadline.instant(), Instant::now() + Duration::from_secs(2));
    assert_eq!(deadline, Deadline::at(deadline.instant()));
    request.extensions_mut().insert(deadline);
    for left in [2, 1, 0, 0] {
        let left = Duration::from_secs(left);
        assert_eq!(time_left_from_extension(&request), Some(left));
        advance(Duration::from_secs(1)).await;
    }
    assert_eq!(Deadline::after(Duration::MAX), None);
}

#[tokio::test(start_paused = true)]
async fn no_call_is_admitted_after_its_caller_has_given_up() {
    let limit = ConcurrencyLimitLayer::queued(1, 1).with_max_wait(time_left_from_grpc_timeout);
    let limiter = limit.limiter();
    let app = Router::new()
        .route("/", get(async || "answer"))
        .layer((RespondLayer::new(), limit));
    let ask = |time_left| {
        let request = Request::get("/").header("grpc-timeout", time_left);
        app.clone().oneshot(request.body(Body::empty()).unwrap())
    };
    assert_eq!(ask("50m").await.unwrap().status(), StatusCode::OK);
    // There is room, and nobody to answer.
    let late = ask("0m").await.unwrap();
    assert_eq!(late.status(), StatusCode::SERVICE_UNAVAILABLE);

    let held = limiter.try_acquire().unwrap();
    let mut waiting = spawn(ask("50m"));
    assert_pending!(waiting.poll());
    assert_eq!(limiter.snapshot().queued, 1);
    advance(Duration::from_millis(50)).await;
    drop(held);
    let late = waiting.await.unwrap();
    assert_eq!(late.status(), StatusCode::SERVICE_UNAVAILABLE);
}
