//! Responses whose bodies are sent piece by piece.

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use tokio::task::JoinSet;
use tokio_stream::{Stream, StreamExt, iter, pending};
use tower_inflight::http::{RespondLayer, UntilBody};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::client::Client;
use crate::handler::{Gated, numbers, serve, until};

const ROWS: usize = 3;

/// An application with a limit of 1 that lasts until the body has ended.
fn app(queue_limit: usize, gated: &Gated) -> (Limiter, Router) {
    let limit = ConcurrencyLimitLayer::queued(1, queue_limit).with_hold(UntilBody);
    let limiter = limit.limiter();
    let app = Router::new()
        .route("/", get(rows))
        .route("/events", get(events))
        .route("/endless", get(endless))
        .route("/status/{status}", get(status))
        .layer((RespondLayer::new(), limit))
        .with_state(gated.clone());
    (limiter, app)
}

async fn rows(State(gated): State<Gated>) -> Body {
    Body::from_stream(pieces(gated).map(Ok::<_, Infallible>))
}

async fn events(State(gated): State<Gated>) -> impl IntoResponse {
    let events = pieces(gated).map(|piece| Event::default().data(piece));
    Sse::new(events.map(Ok::<_, Infallible>))
}

/// As much as anybody reads.
async fn endless() -> Body {
    let rows = std::iter::repeat_with(|| Ok::<_, Infallible>("row\n".repeat(10_000)));
    Body::from_stream(iter(rows))
}

/// A body that never ends, which with some statuses is never sent.
async fn status(Path(status): Path<u16>) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    let body = Body::from_stream(pending::<Result<String, Infallible>>());
    (status, body).into_response()
}

fn pieces(gated: Gated) -> impl Stream<Item = String> {
    iter(1..=ROWS).then(move |row| {
        let gated = gated.clone();
        async move {
            gated.work().await;
            format!("row {row}\n")
        }
    })
}

// There, a permit ends before a streamed body does.
#[tokio::test]
async fn eight_streams_never_run_two_at_once() {
    let gated = Gated::new();
    let (limiter, app) = app(7, &gated);
    let address = serve(app).await;
    let mut streams = JoinSet::new();
    for _ in 0..8 {
        streams.spawn(async move {
            let mut client = Client::connect(address).await;
            client.ask("GET / HTTP/1.1\r\nconnection: close").await;
            client.rest().await
        });
    }
    until(|| numbers(&limiter) == (1, 7) && gated.inside() == 1).await;
    gated.end(8 * ROWS);
    for stream in streams.join_all().await {
        assert!(stream.contains("row 3"), "{stream}");
    }
    assert_eq!(gated.peak(), 1);
    until(|| numbers(&limiter) == (0, 0)).await;
}

#[tokio::test]
async fn a_client_that_goes_away_in_the_middle_gives_the_permit_back() {
    let gated = Gated::new();
    let (limiter, app) = app(1, &gated);
    let address = serve(app).await;
    for path in ["/", "/events"] {
        let mut first = Client::connect(address).await;
        first.ask(&format!("GET {path} HTTP/1.1")).await;
        gated.end(1);
        first.read_until("row 1").await;
        let mut second = Client::connect(address).await;
        second.ask("GET /status/204 HTTP/1.1").await;
        until(|| numbers(&limiter) == (1, 1)).await;

        drop(first);
        assert_eq!(second.status().await, 204);
        until(|| numbers(&limiter) == (0, 0)).await;
    }
}

#[tokio::test]
async fn a_stream_of_events_holds_its_permit_until_the_last() {
    let gated = Gated::new();
    let (limiter, app) = app(0, &gated);
    let mut client = Client::connect(serve(app).await).await;
    client.ask("GET /events HTTP/1.1").await;
    gated.end(1);
    client.read_until("data: row 1").await;
    for row in 2..=ROWS {
        assert_eq!(numbers(&limiter), (1, 0));
        gated.end(1);
        client.read_until(&format!("data: row {row}")).await;
    }
    until(|| numbers(&limiter) == (0, 0)).await;
}

// F113
#[tokio::test]
async fn a_client_that_does_not_read_keeps_its_permit_until_it_goes() {
    let gated = Gated::new();
    let (limiter, app) = app(1, &gated);
    let address = serve(app).await;
    let mut idler = Client::connect(address).await;
    idler.ask("GET /endless HTTP/1.1").await;
    idler.read_until("row").await;
    let mut second = Client::connect(address).await;
    second.send().await;
    until(|| numbers(&limiter) == (1, 1)).await;

    drop(idler);
    gated.end(ROWS);
    second.read_until("row 3").await;
    assert_eq!(gated.peak(), 1);
}

#[tokio::test]
async fn what_has_no_body_holds_nothing_after_its_head() {
    let gated = Gated::new();
    let (limiter, app) = app(0, &gated);
    let address = serve(app).await;
    for (head, status) in [
        ("HEAD /status/200 HTTP/1.1", 200),
        ("GET /status/204 HTTP/1.1", 204),
        ("GET /status/304 HTTP/1.1", 304),
    ] {
        let mut client = Client::connect(address).await;
        for _ in 0..2 {
            client.ask(head).await;
            assert_eq!(client.status().await, status);
            assert_eq!(numbers(&limiter), (0, 0), "{head}");
        }
    }
}
