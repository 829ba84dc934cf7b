//! axum, over HTTP/1.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::error_handling::HandleErrorLayer;
use axum::handler::Handler;
use axum::routing::get;
use http::{Request, StatusCode};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower::timeout::TimeoutLayer;
use tower::timeout::error::Elapsed;
use tower::{BoxError, ServiceBuilder, ServiceExt};
use tower_http::trace::TraceLayer;
use tower_inflight::{ConcurrencyLimitLayer, Error, Limiter};

use crate::client::Client;
use crate::handler::{Gated, until};

async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    address
}

/// What an application would do with a rejection.
async fn unavailable(error: Error<Infallible>) -> StatusCode {
    match error {
        Error::Rejected(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Service(never) => match never {},
    }
}

/// The limit around the whole, around a route, and around a handler.
fn apps(limit: &ConcurrencyLimitLayer, gated: &Gated) -> [Router; 3] {
    let handle = HandleErrorLayer::new(unavailable);
    let stack = ServiceBuilder::new().layer(handle).layer(limit.clone());
    let gated = gated.clone();
    let handler = async move || gated.work().await;
    [
        Router::new()
            .route("/", get(handler.clone()))
            .layer(TraceLayer::new_for_http())
            .layer(stack.clone()),
        Router::new().route("/", get(handler.clone()).layer(stack.clone())),
        Router::new().route("/", get(handler.layer(stack))),
    ]
}

fn spawn_gets(clients: usize, address: SocketAddr) -> JoinSet<u16> {
    let mut gets = JoinSet::new();
    for _ in 0..clients {
        gets.spawn(async move { Client::connect(address).await.get().await });
    }
    gets
}

fn numbers(limiter: &Limiter) -> (usize, usize) {
    let snapshot = limiter.snapshot();
    (snapshot.in_flight, snapshot.queued)
}

// ax1, ax2: there, each request has a limit of its own.
#[tokio::test]
async fn eight_connections_share_one_limit_wherever_the_layer_is_put() {
    for at in 0..3 {
        let limit = ConcurrencyLimitLayer::queued(2, 6);
        let gated = Gated::new();
        let app = apps(&limit, &gated)[at].clone();
        let gets = spawn_gets(8, serve(app).await);
        until(|| numbers(&limit.limiter()) == (2, 6) && gated.inside() == 2).await;
        gated.end(8);
        assert_eq!(gets.join_all().await, [200; 8]);
        assert_eq!(gated.peak(), 2);
        assert_eq!(numbers(&limit.limiter()), (0, 0));
    }
}

// ax3: there, two layers that are put on apart shed nothing.
#[tokio::test]
async fn what_does_not_fit_is_turned_away_at_once() {
    for at in 0..3 {
        let limit = ConcurrencyLimitLayer::new(2);
        let gated = Gated::new();
        let app = apps(&limit, &gated)[at].clone();
        let mut gets = spawn_gets(8, serve(app).await);
        for _ in 0..6 {
            assert_eq!(gets.join_next().await.unwrap().unwrap(), 503);
        }
        assert_eq!(gated.inside(), 2);
        gated.end(2);
        assert_eq!(gets.join_all().await, [200; 2]);
    }
}

// ax4, ax5: there, it depends on how the two are put together.
#[tokio::test(start_paused = true)]
async fn a_timeout_outside_covers_the_wait_in_one_stack_and_in_two() {
    let elapsed = HandleErrorLayer::new(async |error: BoxError| {
        assert!(error.is::<Elapsed>());
        StatusCode::GATEWAY_TIMEOUT
    });
    let timeout = TimeoutLayer::new(Duration::from_millis(150));
    let limit = ConcurrencyLimitLayer::queued(1, 4);
    let together = Router::new().route("/", get(async || ())).layer(
        ServiceBuilder::new()
            .layer(elapsed.clone())
            .layer(timeout.clone())
            .layer(limit.clone()),
    );
    let inner = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(unavailable))
        .layer(limit.clone());
    let outer = ServiceBuilder::new().layer(elapsed).layer(timeout);
    let apart = Router::new()
        .route("/", get(async || ()))
        .layer(inner)
        .layer(outer);

    let _held = limit.limiter().try_acquire().unwrap();
    for app in [together, apart] {
        let request = Request::new(Body::empty());
        let response = app.oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::GATEWAY_TIMEOUT);
        assert_eq!(numbers(&limit.limiter()), (1, 0));
    }
}

/// A server may ask a service whether it is ready before a request exists.
#[tokio::test]
async fn connections_that_are_open_and_idle_hold_nothing() {
    let limit = ConcurrencyLimitLayer::new(1);
    let gated = Gated::new();
    gated.end(5);
    let [app, ..] = apps(&limit, &gated);
    let address = serve(app).await;
    let mut idle = Vec::new();
    for _ in 0..4 {
        let mut client = Client::connect(address).await;
        assert_eq!(client.get().await, 200);
        idle.push(client);
    }
    assert_eq!(numbers(&limit.limiter()), (0, 0));
    assert_eq!(Client::connect(address).await.get().await, 200);
}

#[tokio::test]
async fn a_client_that_goes_away_frees_its_place_or_its_permit() {
    let limit = ConcurrencyLimitLayer::queued(1, 2);
    let limiter = limit.limiter();
    let gated = Gated::new();
    let [app, ..] = apps(&limit, &gated);
    let address = serve(app).await;
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
