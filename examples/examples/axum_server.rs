//! How does an axum server tell a client that it is full?
//!
//! With a response: 503, the reason, and when to come back. axum wants no
//! errors from a layer, so `RespondLayer` stands around the limit and turns its
//! rejections into responses.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tower::BoxError;
use tower_inflight::ConcurrencyLimitLayer;
use tower_inflight::http::RespondLayer;

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// The application: one limit for all the routes above the layer.
fn app(limit: ConcurrencyLimitLayer, database: Arc<Semaphore>) -> Router {
    Router::new()
        .route("/report", get(report))
        .layer((RespondLayer::new(), limit))
        // Below the layer, and so outside the limit: a probe that has to wait
        // its turn gets a busy server killed.
        .route("/health", get(async || "healthy"))
        .with_state(database)
}

/// Works until the show gives it an answer.
async fn report(State(database): State<Arc<Semaphore>>) -> &'static str {
    let answer = database.acquire().await.expect("it is never closed");
    answer.forget();
    "the report"
}

/// Asks for three reports, where one may run and one may wait.
async fn show() -> Result<Vec<String>, BoxError> {
    let limit = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(Duration::from_secs(10))
        .name("report")
        .build()?;
    let limiter = limit.limiter();
    let database = Arc::new(Semaphore::new(0));
    let address = serve(app(limit, Arc::clone(&database))).await?;

    let running = tokio::spawn(fetch(address, "/report"));
    until(|| limiter.snapshot().in_flight == 1).await;
    let waiting = tokio::spawn(fetch(address, "/report"));
    until(|| limiter.snapshot().queued == 1).await;
    let rejected = fetch(address, "/report").await?;
    let health = fetch(address, "/health").await?;

    database.add_permits(2);
    Ok(vec![
        format!("a third report: {rejected}"),
        format!("meanwhile:      {health}"),
        format!("the first:      {}", running.await??),
        format!("the second:     {}", waiting.await??),
    ])
}

async fn serve(app: Router) -> Result<SocketAddr, BoxError> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(axum::serve(listener, app).into_future());
    Ok(address)
}

async fn fetch(address: SocketAddr, path: &'static str) -> Result<String, reqwest::Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let response = client.get(format!("http://{address}{path}")).send().await?;
    let status = response.status();
    let retry_after = match response.headers().get(header::RETRY_AFTER) {
        Some(seconds) => format!(", Retry-After: {}", seconds.to_str().unwrap_or("?")),
        None => String::new(),
    };
    Ok(format!("{status}{retry_after}, {}", response.text().await?))
}

async fn until(reached: impl Fn() -> bool) {
    while !reached() {
        yield_now().await;
    }
}

#[cfg(test)]
#[tokio::test]
async fn a_full_server_says_so_and_stays_healthy() {
    assert_eq!(
        show().await.unwrap(),
        [
            "a third report: 503 Service Unavailable, Retry-After: 1, \
             the server is overloaded: queue_full",
            "meanwhile:      200 OK, healthy",
            "the first:      200 OK, the report",
            "the second:     200 OK, the report",
        ]
    );
}
