//! axum's graceful shutdown, with calls that wait.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::routing::get;
use http::StatusCode;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tower::ServiceBuilder;
use tower_inflight::{ConcurrencyLimitLayer, Error, Limiter, Reason};

use crate::client::Client;
use crate::handler::{Gated, until};

/// A server that has one call running and three waiting.
struct Busy {
    address: SocketAddr,
    server: JoinHandle<io::Result<()>>,
    stop: oneshot::Sender<()>,
    clients: [Client; 4],
    limiter: Limiter,
    gated: Gated,
}

impl Busy {
    /// Once it is stopped, those who wait have `grace` to be served.
    async fn new(grace: Duration) -> Self {
        let limit = ConcurrencyLimitLayer::queued(1, 10);
        let (limiter, gated) = (limit.limiter(), Gated::new());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let (app, closing) = (app(limit, &gated), limiter.clone());
        let server = axum::serve(listener, app).with_graceful_shutdown(async move {
            stopped.await.unwrap();
            tokio::spawn(async move {
                if timeout(grace, closing.drained()).await.is_err() {
                    closing.close();
                }
            });
        });
        let server = tokio::spawn(server.into_future());

        let mut clients = Vec::new();
        for queued in 0..4 {
            let mut client = Client::connect(address).await;
            client.send().await;
            until(|| numbers(&limiter) == (1, queued)).await;
            clients.push(client);
        }
        Self {
            address,
            server,
            stop,
            clients: clients.try_into().ok().unwrap(),
            limiter,
            gated,
        }
    }
}

fn app(limit: ConcurrencyLimitLayer, gated: &Gated) -> Router {
    let gated = gated.clone();
    let closed = async |error: Error<Infallible>| {
        assert_eq!(error.rejection().unwrap().reason(), Reason::Closed);
        StatusCode::SERVICE_UNAVAILABLE
    };
    Router::new()
        .route("/", get(async move || gated.work().await))
        .layer(
            ServiceBuilder::new()
                .layer(HandleErrorLayer::new(closed))
                .layer(limit),
        )
}

fn numbers(limiter: &Limiter) -> (usize, usize) {
    let snapshot = limiter.snapshot();
    (snapshot.in_flight, snapshot.queued)
}

/// Waits until nobody new gets in.
async fn shut(address: SocketAddr) {
    while TcpStream::connect(address).await.is_ok() {}
}

// F119
#[tokio::test]
async fn who_waits_is_answered_before_the_server_ends() {
    let busy = Busy::new(Duration::from_secs(3_600)).await;
    busy.stop.send(()).unwrap();
    shut(busy.address).await;
    busy.gated.end(4);
    for mut client in busy.clients {
        assert_eq!(client.status().await, 200);
    }
    busy.server.await.unwrap().unwrap();
    busy.limiter.drained().await;
    assert_eq!(busy.gated.peak(), 1);
}

// F119
#[tokio::test]
async fn who_waits_is_turned_away_where_there_is_no_time() {
    let busy = Busy::new(Duration::ZERO).await;
    busy.stop.send(()).unwrap();
    let [mut running, waiting @ ..] = busy.clients;
    for mut client in waiting {
        assert_eq!(client.status().await, 503);
    }
    assert_eq!(numbers(&busy.limiter), (1, 0));
    busy.gated.end(1);
    assert_eq!(running.status().await, 200);
    busy.server.await.unwrap().unwrap();
    busy.limiter.drained().await;
}

// F119
#[tokio::test(start_paused = true)]
async fn who_waits_is_answered_until_the_time_is_up_and_then_turned_away() {
    let busy = Busy::new(Duration::from_secs(10)).await;
    busy.stop.send(()).unwrap();
    busy.gated.end(1);
    let [mut first, mut second, waiting @ ..] = busy.clients;
    assert_eq!(first.status().await, 200);
    // Nothing else can happen now, so the time goes by.
    for mut client in waiting {
        assert_eq!(client.status().await, 503);
    }
    busy.gated.end(1);
    assert_eq!(second.status().await, 200);
    busy.server.await.unwrap().unwrap();
}
