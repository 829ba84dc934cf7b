//! How long does a response that is streamed hold its permit?
//!
//! As long as you say. By default until the response is *ready*, and its head
//! on its way: work that goes on while the body is sent is then not bounded.
//! With `UntilBody` until the body has ended, or the client is gone.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::routing::{MethodRouter, get};
use reqwest::Response;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tokio_stream::{StreamExt, iter};
use tower::BoxError;
use tower_inflight::http::{RespondLayer, UntilBody};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

async fn show() -> Result<Vec<String>, BoxError> {
    let mut lines = until_the_response().await?;
    lines.extend(until_the_body().await?);
    Ok(lines)
}

/// Two clients ask for the export where one may run, and both are served.
async fn until_the_response() -> Result<Vec<String>, BoxError> {
    let limit = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = limit.limiter();
    let database = Arc::new(Semaphore::new(0));
    let route = get(export).layer((RespondLayer::new(), limit));
    let address = serve(route, Arc::clone(&database)).await?;

    let (mut first, mut second) = (fetch(address).await?, fetch(address).await?);
    database.add_permits(2);
    let (one, two) = (row(&mut first).await?, row(&mut second).await?);
    Ok(vec![format!(
        "until the response: the first reads {one:?}, the second {two:?}; {}",
        load(&limiter)
    )])
}

/// The same, and the second has to wait until the first has gone.
async fn until_the_body() -> Result<Vec<String>, BoxError> {
    let limit = ConcurrencyLimitLayer::queued(1, 1).with_hold(UntilBody);
    let limiter = limit.limiter();
    let database = Arc::new(Semaphore::new(0));
    let route = get(export).layer((RespondLayer::new(), limit));
    let address = serve(route, Arc::clone(&database)).await?;

    let mut first = fetch(address).await?;
    database.add_permits(1);
    let one = row(&mut first).await?;
    let second = tokio::spawn(fetch(address));
    while limiter.snapshot().queued < 1 {
        yield_now().await;
    }
    let meanwhile = load(&limiter);

    // Nobody has to notice it but the server, which drops the body.
    drop(first);
    let mut second = second.await??;
    database.add_permits(1);
    let two = row(&mut second).await?;
    Ok(vec![
        format!("until the body:     the first reads {one:?}; {meanwhile}"),
        format!(
            "the first leaves:   the second reads {two:?}; {}",
            load(&limiter)
        ),
    ])
}

/// Fetches each row as the one before is sent.
async fn export(State(database): State<Arc<Semaphore>>) -> Body {
    let rows = iter(1..=1_000).then(move |row| {
        let database = Arc::clone(&database);
        async move {
            let answer = database.acquire().await.expect("it is never closed");
            answer.forget();
            Ok::<_, Infallible>(format!("row {row}"))
        }
    });
    Body::from_stream(rows)
}

async fn serve(
    route: MethodRouter<Arc<Semaphore>>,
    database: Arc<Semaphore>,
) -> Result<SocketAddr, BoxError> {
    let app = Router::new().route("/", route).with_state(database);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(axum::serve(listener, app).into_future());
    Ok(address)
}

async fn fetch(address: SocketAddr) -> Result<Response, reqwest::Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    client.get(format!("http://{address}/")).send().await
}

async fn row(response: &mut Response) -> Result<String, BoxError> {
    let chunk = response.chunk().await?.ok_or("the export has ended")?;
    Ok(String::from_utf8(chunk.into())?)
}

fn load(limiter: &Limiter) -> String {
    let snapshot = limiter.snapshot();
    format!(
        "{} in flight, {} queued",
        snapshot.in_flight, snapshot.queued
    )
}

#[cfg(test)]
#[tokio::test]
async fn a_permit_until_the_body_bounds_what_is_sent() {
    assert_eq!(
        show().await.unwrap(),
        [
            "until the response: the first reads \"row 1\", the second \"row 1\"; \
             0 in flight, 0 queued",
            "until the body:     the first reads \"row 1\"; 1 in flight, 1 queued",
            "the first leaves:   the second reads \"row 1\"; 1 in flight, 0 queued",
        ]
    );
}
