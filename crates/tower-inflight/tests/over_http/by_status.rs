//! Which responses are overload.

use std::io;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::{Request, Response, StatusCode};
use tonic::{Code, Status};
use tower::ServiceExt;
use tower_inflight::http::{RespondLayer, by_grpc_status, by_status};
use tower_inflight::{AdaptiveAimdLayer, Outcome};

// F137
#[test]
fn server_errors_and_timeouts_are_overload_and_what_clients_do_wrong_is_not() {
    for (code, outcome) in [
        (200, Outcome::Success),
        (301, Outcome::Success),
        (400, Outcome::Success),
        (404, Outcome::Success),
        (408, Outcome::Overload),
        (429, Outcome::Success),
        (500, Outcome::Overload),
        (503, Outcome::Overload),
        (504, Outcome::Overload),
    ] {
        let mut response = Response::new(());
        *response.status_mut() = StatusCode::from_u16(code).unwrap();
        assert_eq!(by_status(&Ok::<_, io::Error>(response)), outcome, "{code}");
    }
    let error = io::Error::other("broken");
    assert_eq!(by_status(&Err::<Response<()>, _>(error)), Outcome::Overload);
}

#[tokio::test(start_paused = true)]
async fn an_adaptive_limit_in_axum_falls_by_it() {
    let limit = AdaptiveAimdLayer::builder()
        .classify(by_status)
        .build()
        .unwrap();
    let limiter = limit.limiter();
    let app = Router::new()
        .route("/broken", get(async || StatusCode::INTERNAL_SERVER_ERROR))
        .layer((RespondLayer::new(), limit));
    let limit_after = async |path| {
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        let request = Request::get(path).body(Body::empty()).unwrap();
        app.clone().oneshot(request).await.unwrap();
        limiter.snapshot().limit
    };
    // The first call begins a window, and each further one ends one.
    assert_eq!(limit_after("/missing").await, 10);
    assert_eq!(limit_after("/missing").await, 10);
    assert_eq!(limit_after("/broken").await, 9);
}

#[test]
fn a_grpc_failure_of_the_server_is_overload_and_one_of_the_client_is_not() {
    let overload = [
        Code::DeadlineExceeded,
        Code::Internal,
        Code::ResourceExhausted,
        Code::Unavailable,
        Code::Unknown,
    ];
    for code in (0..=16).map(Code::from_i32) {
        let response: Response<()> = Status::new(code, "").into_http();
        let outcome = by_grpc_status(&Ok::<_, io::Error>(response));
        assert_eq!(
            outcome == Outcome::Overload,
            overload.contains(&code),
            "{code}"
        );
        assert_ne!(outcome, Outcome::Ignore);
    }
    let mut response = Response::new(());
    assert_eq!(
        by_grpc_status(&Ok::<_, io::Error>(response.clone())),
        Outcome::Success
    );
    *response.status_mut() = StatusCode::BAD_GATEWAY;
    assert_eq!(
        by_grpc_status(&Ok::<_, io::Error>(response)),
        Outcome::Overload
    );
}
