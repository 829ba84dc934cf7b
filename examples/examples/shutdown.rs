//! What becomes of the calls that wait when a server shuts down?
//!
//! Either they are answered before it goes, or it closes the limiter, and they
//! are told at once to go elsewhere. What runs is answered either way.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::yield_now;
use tower::BoxError;
use tower_inflight::http::RespondLayer;
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

/// What happens to those who wait.
#[derive(Clone, Copy, Debug)]
enum Waiting {
    Answered,
    TurnedAway,
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

async fn show() -> Result<Vec<String>, BoxError> {
    let mut lines = shut_down(Waiting::Answered).await?;
    lines.extend(shut_down(Waiting::TurnedAway).await?);
    Ok(lines)
}

/// Serves until `stop`, and until all who are to be answered are.
async fn serve(
    listener: TcpListener,
    app: Router,
    limiter: Limiter,
    stop: oneshot::Receiver<()>,
    waiting: Waiting,
) -> std::io::Result<()> {
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            // In a real server: `tokio::signal::ctrl_c()`.
            let _ = stop.await;
            match waiting {
                Waiting::Answered => {}
                Waiting::TurnedAway => limiter.close(),
            }
        })
        .await
}

/// Stops a server while one call runs and three wait.
async fn shut_down(waiting: Waiting) -> Result<Vec<String>, BoxError> {
    let limit = ConcurrencyLimitLayer::queued(1, 10);
    let limiter = limit.limiter();
    let answers = Arc::new(Semaphore::new(0));
    let app = app(limit, Arc::clone(&answers));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel();
    let server = tokio::spawn(serve(listener, app, limiter.clone(), stopped, waiting));

    let mut calls = Vec::new();
    for queued in 0..4 {
        calls.push(tokio::spawn(fetch(address)));
        until(|| limiter.snapshot().in_flight == 1 && limiter.snapshot().queued == queued).await;
    }

    let mut lines = vec![format!("those who wait are to be {waiting:?}:")];
    drop(stop);
    while TcpStream::connect(address).await.is_ok() {}
    lines.push("    nobody new is let in".to_owned());
    if let Waiting::TurnedAway = waiting {
        // They need not wait for what runs.
        for call in calls.drain(1..) {
            lines.push(format!("    waiting: {}", call.await??));
        }
    }
    answers.add_permits(4);
    for call in calls {
        lines.push(format!("    answered: {}", call.await??));
    }
    server.await??;
    limiter.drained().await;
    lines.push("    the server has ended, and nothing is in flight".to_owned());
    Ok(lines)
}

fn app(limit: ConcurrencyLimitLayer, answers: Arc<Semaphore>) -> Router {
    let work = async move || {
        let answer = answers.acquire().await.expect("it is never closed");
        answer.forget();
        "done"
    };
    Router::new()
        .route("/", get(work))
        .layer((RespondLayer::new(), limit))
}

async fn fetch(address: SocketAddr) -> Result<String, reqwest::Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let response = client.get(format!("http://{address}/")).send().await?;
    Ok(format!("{}, {}", response.status(), response.text().await?))
}

async fn until(reached: impl Fn() -> bool) {
    while !reached() {
        yield_now().await;
    }
}

#[cfg(test)]
#[tokio::test]
async fn who_waits_is_answered_or_turned_away_and_the_server_ends() {
    assert_eq!(
        show().await.unwrap(),
        [
            "those who wait are to be Answered:",
            "    nobody new is let in",
            "    answered: 200 OK, done",
            "    answered: 200 OK, done",
            "    answered: 200 OK, done",
            "    answered: 200 OK, done",
            "    the server has ended, and nothing is in flight",
            "those who wait are to be TurnedAway:",
            "    nobody new is let in",
            "    waiting: 503 Service Unavailable, the server is shutting down: closed",
            "    waiting: 503 Service Unavailable, the server is shutting down: closed",
            "    waiting: 503 Service Unavailable, the server is shutting down: closed",
            "    answered: 200 OK, done",
            "    the server has ended, and nothing is in flight",
        ]
    );
}
