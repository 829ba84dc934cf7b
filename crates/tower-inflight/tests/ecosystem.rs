//! In the places where people put layers: axum, tower-http, tonic.

use std::convert::Infallible;
use std::io;

use axum::Router;
use axum::body::Body;
use axum::error_handling::HandleErrorLayer;
use axum::routing::get;
use http::{Request, Response, StatusCode};
use tokio::io::DuplexStream;
use tonic::service::Routes;
use tonic::transport::Server;
use tower::{BoxError, ServiceBuilder, ServiceExt, service_fn};
use tower_http::trace::TraceLayer;
use tower_inflight::{ConcurrencyLimitLayer, Error, PriorityQueueLayer, Rejection};

fn request() -> Request<Body> {
    Request::new(Body::empty())
}

/// What an application would do with a rejection.
async fn unavailable(error: Error<Infallible>) -> (StatusCode, &'static str) {
    match error {
        Error::Rejected(rejection) => {
            (StatusCode::SERVICE_UNAVAILABLE, rejection.reason().as_str())
        }
        Error::Service(never) => match never {},
    }
}

#[tokio::test]
async fn axum_turns_a_rejection_into_a_response() {
    let limit = ConcurrencyLimitLayer::new(1);
    let limiter = limit.limiter();
    let app = Router::new().route("/", get(async || "answer")).layer(
        ServiceBuilder::new()
            .layer(HandleErrorLayer::new(unavailable))
            .layer(limit),
    );

    let response = app.clone().oneshot(request()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);

    let _held = limiter.try_acquire().unwrap();
    let response = app.oneshot(request()).await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let body = axum::body::to_bytes(response.into_body(), 64)
        .await
        .unwrap();
    assert_eq!(body, "limit_reached");
}

#[tokio::test]
async fn axum_finds_it_in_a_box_below_a_stock_layer() {
    let limit = PriorityQueueLayer::new(1, 0, |request: &Request<Body>| {
        i32::from(request.headers().contains_key("x-urgent"))
    });
    let limiter = limit.limiter();
    let handle = HandleErrorLayer::new(async |error: BoxError| {
        assert!(error.is::<Rejection>());
        StatusCode::SERVICE_UNAVAILABLE
    });
    let app = Router::new()
        .route("/", get(async || "answer"))
        .layer(ServiceBuilder::new().layer(handle).load_shed().layer(limit));

    let _held = limiter.try_acquire().unwrap();
    let response = app.oneshot(request()).await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn tower_http_traces_it() {
    let limit = ConcurrencyLimitLayer::new(1);
    let limiter = limit.limiter();
    let service = ServiceBuilder::new()
        .layer(TraceLayer::new_for_http())
        .layer(limit)
        .service(service_fn(async |_: Request<Body>| {
            Ok::<_, Infallible>(Response::new(Body::empty()))
        }));
    let response = service.clone().oneshot(request()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    drop(response);

    let _held = limiter.try_acquire().unwrap();
    let error = service.oneshot(request()).await.err().unwrap();
    assert!(error.rejection().is_some());
}

#[tokio::test]
async fn tonic_serves_with_it() {
    let limit = ConcurrencyLimitLayer::new(1);
    let limiter = limit.limiter();
    let nobody = tokio_stream::iter(None::<Result<DuplexStream, io::Error>>);
    Server::builder()
        .layer(limit.clone())
        .add_routes(Routes::default())
        .serve_with_incoming(nobody)
        .await
        .unwrap();

    let service = ServiceBuilder::new()
        .layer(limit)
        .service(Routes::default());
    let response = service.clone().oneshot(request()).await.unwrap();
    assert_eq!(
        response.headers()["grpc-status"],
        "12",
        "it is not implemented"
    );

    let _held = limiter.try_acquire().unwrap();
    let error = BoxError::from(service.oneshot(request()).await.unwrap_err());
    assert!(error.is::<Rejection>());
}
