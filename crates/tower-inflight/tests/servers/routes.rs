//! axum, at each place where it takes a layer.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::handler::Handler;
use axum::routing::get;
use http::StatusCode;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower::timeout::TimeoutLayer;
use tower::timeout::error::Elapsed;
use tower::{BoxError, ServiceBuilder};
use tower_inflight::{ConcurrencyLimitLayer, Error, Limiter};

use crate::client::Client;
use crate::handler::{Gated, until};

const PATIENT: Duration = Duration::from_secs(3_600);

/// What an application would do with a rejection.
async fn rejected(error: Error<Infallible>) -> StatusCode {
    match error {
        Error::Rejected(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Service(never) => match never {},
    }
}

/// The same, where a timeout has boxed it.
async fn failed(error: BoxError) -> StatusCode {
    if error.is::<Elapsed>() {
        StatusCode::GATEWAY_TIMEOUT
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    }
}

/// A timeout around a limit: as one stack, and as two that are put on apart.
fn apps(
    limit: &ConcurrencyLimitLayer,
    patience: Duration,
    gated: &Gated,
) -> [(&'static str, Router); 8] {
    let timeout = TimeoutLayer::new(patience);
    let stack = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(failed))
        .layer(timeout.clone())
        .layer(limit.clone());
    let outer = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(failed))
        .layer(timeout);
    let inner = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(rejected))
        .layer(limit.clone());

    let gated = gated.clone();
    let handler = async move || gated.work().await;
    let method = || get(handler.clone());
    let router = |method| Router::new().route("/", method);
    [
        ("a router", router(method()).layer(stack.clone())),
        (
            "a router, twice",
            router(method()).layer(inner.clone()).layer(outer.clone()),
        ),
        ("its routes", router(method()).route_layer(stack.clone())),
        (
            "a router in another",
            Router::new()
                .fallback_service(router(method()).layer(inner.clone()))
                .layer(outer.clone()),
        ),
        ("a method router", router(method().layer(stack.clone()))),
        (
            "a method router, twice",
            router(
                method()
                    .layer::<_, Infallible>(inner.clone())
                    .layer(outer.clone()),
            ),
        ),
        ("a handler", router(get(handler.clone().layer(stack)))),
        (
            "a handler, twice",
            router(get(handler.clone().layer(inner).layer(outer))),
        ),
    ]
}

/// A server, and what is behind it.
struct Place {
    name: String,
    address: SocketAddr,
    limiter: Limiter,
    gated: Gated,
}

/// Each app as it is, and by way of a service for each connection.
async fn places(limit: fn() -> ConcurrencyLimitLayer, patience: Duration) -> Vec<Place> {
    let mut places = Vec::new();
    for make_service in [false, true] {
        for at in 0..8 {
            let (limit, gated) = (limit(), Gated::new());
            let (name, app) = apps(&limit, patience, &gated)[at].clone();
            places.push(Place {
                name: format!("{name}, make service: {make_service}"),
                address: serve(app, make_service).await,
                limiter: limit.limiter(),
                gated,
            });
        }
    }
    places
}

async fn serve(app: Router, make_service: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    if make_service {
        tokio::spawn(axum::serve(listener, app.into_make_service()).into_future());
    } else {
        tokio::spawn(axum::serve(listener, app).into_future());
    }
    address
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
    for place in places(|| ConcurrencyLimitLayer::queued(2, 6), PATIENT).await {
        let Place { name, gated, .. } = &place;
        let gets = spawn_gets(8, place.address);
        until(|| numbers(&place.limiter) == (2, 6) && gated.inside() == 2).await;
        gated.end(8);
        assert_eq!(gets.join_all().await, [200; 8], "{name}");
        assert_eq!(gated.peak(), 2, "{name}");
        assert_eq!(numbers(&place.limiter), (0, 0), "{name}");
    }
}

// ax3: there, two layers that are put on apart shed nothing.
#[tokio::test]
async fn what_does_not_fit_is_turned_away_at_once() {
    for place in places(|| ConcurrencyLimitLayer::new(2), PATIENT).await {
        let Place { name, gated, .. } = &place;
        let mut gets = spawn_gets(8, place.address);
        for _ in 0..6 {
            assert_eq!(gets.join_next().await.unwrap().unwrap(), 503, "{name}");
        }
        assert_eq!(gated.inside(), 2, "{name}");
        gated.end(2);
        assert_eq!(gets.join_all().await, [200; 2], "{name}");
    }
}

// ax4, ax5: there, it depends on how the two are put together.
#[tokio::test(start_paused = true)]
async fn a_timeout_outside_covers_the_wait_wherever_the_two_are_put() {
    let impatient = Duration::from_millis(150);
    for place in places(|| ConcurrencyLimitLayer::queued(1, 4), impatient).await {
        let held = place.limiter.try_acquire().unwrap();
        let status = Client::connect(place.address).await.get().await;
        assert_eq!(status, 504, "{}", place.name);
        assert_eq!(numbers(&place.limiter), (1, 0), "{}", place.name);
        assert_eq!(place.gated.peak(), 0, "{}", place.name);
        drop(held);
    }
}

#[tokio::test]
async fn all_servers_of_one_layer_share_its_limit() {
    let limit = ConcurrencyLimitLayer::new(1);
    let gated = Gated::new();
    let mut addresses = Vec::new();
    for (_, app) in apps(&limit, PATIENT, &gated) {
        addresses.push(serve(app, false).await);
    }
    let running = spawn_gets(1, addresses[0]);
    until(|| gated.inside() == 1).await;
    for address in addresses {
        assert_eq!(Client::connect(address).await.get().await, 503);
    }
    gated.end(1);
    assert_eq!(running.join_all().await, [200]);
}
