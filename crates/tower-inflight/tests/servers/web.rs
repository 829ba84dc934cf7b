//! axum, over HTTP/1.

use std::convert::Infallible;

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::routing::get;
use http::StatusCode;
use tower::ServiceBuilder;
use tower_http::trace::TraceLayer;
use tower_inflight::{ConcurrencyLimitLayer, Error};

use crate::client::Client;
use crate::handler::{Gated, numbers, serve, until};

/// What an application would do with a rejection.
async fn unavailable(error: Error<Infallible>) -> StatusCode {
    match error {
        Error::Rejected(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Service(never) => match never {},
    }
}

fn app(limit: ConcurrencyLimitLayer, gated: &Gated) -> Router {
    let gated = gated.clone();
    Router::new()
        .route("/", get(async move || gated.work().await))
        .layer(TraceLayer::new_for_http())
        .layer(
            ServiceBuilder::new()
                .layer(HandleErrorLayer::new(unavailable))
                .layer(limit),
        )
}

/// A server may ask a service whether it is ready before a request exists.
#[tokio::test]
async fn connections_that_are_open_and_idle_hold_nothing() {
    let limit = ConcurrencyLimitLayer::new(1);
    let limiter = limit.limiter();
    let gated = Gated::new();
    gated.end(5);
    let address = serve(app(limit, &gated)).await;
    let mut idle = Vec::new();
    for _ in 0..4 {
        let mut client = Client::connect(address).await;
        assert_eq!(client.get().await, 200);
        idle.push(client);
    }
    assert_eq!(numbers(&limiter), (0, 0));
    assert_eq!(Client::connect(address).await.get().await, 200);
}

#[tokio::test]
async fn a_client_that_goes_away_frees_its_place_or_its_permit() {
    let limit = ConcurrencyLimitLayer::queued(1, 2);
    let limiter = limit.limiter();
    let gated = Gated::new();
    let address = serve(app(limit, &gated)).await;
    let mut clients = Vec::new();
    for (in_flight, queued) in [(1, 0), (1, 1), (1, 2)] {
        let mut client = Client::connect(address).await;
        client.send().await;
        until(|| numbers(&limiter) == (in_flight, queued)).await;
        clients.push(client);
    }
    let mut last = clients.pop().unwrap();
    let waiting = clients.pop().unwrap();
    drop(waiting);
    until(|| numbers(&limiter) == (1, 1)).await;
    // The one that runs: the last is next.
    drop(clients);
    until(|| numbers(&limiter) == (1, 0)).await;
    gated.end(1);
    assert_eq!(last.status().await, 200);
    assert_eq!(numbers(&limiter), (0, 0));
}
