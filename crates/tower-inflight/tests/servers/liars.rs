//! Bodies that panic, fail, or are not as long as they say, and fallbacks whose
//! clients go away.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{any, get};
use bytes::Bytes;
use http::{Request, StatusCode};
use http_body::{Frame, SizeHint};
use hyper::client::conn::http2::handshake;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_stream::pending;
use tower::{Layer, service_fn};
use tower_inflight::http::{RespondLayer, UntilBody};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Rejected};

use crate::client::Client;
use crate::handler::{Gated, numbers, serve, until};

const PIECE: &str = "0123456789";

/// A body of two pieces, which does not keep its word.
struct Liar {
    kind: Kind,
    polls: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Fails,
    Panics,
    PanicsAsItEnds,
    IsLonger,
    IsShorter,
    SaysItIsEmpty,
}

const KINDS: [(&str, Kind); 6] = [
    ("/fails", Kind::Fails),
    ("/panics", Kind::Panics),
    ("/panics-as-it-ends", Kind::PanicsAsItEnds),
    ("/longer", Kind::IsLonger),
    ("/shorter", Kind::IsShorter),
    ("/empty", Kind::SaysItIsEmpty),
];

impl http_body::Body for Liar {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.polls += 1;
        Poll::Ready(match (self.polls, self.kind) {
            (2, Kind::Fails) => Some(Err(io::Error::other("broken"))),
            (2, Kind::Panics) => panic!("in a body"),
            (1 | 2, _) => Some(Ok(Frame::data(Bytes::from_static(PIECE.as_bytes())))),
            _ => None,
        })
    }

    fn is_end_stream(&self) -> bool {
        match self.kind {
            Kind::PanicsAsItEnds if self.polls == 1 => panic!("at the end of a body"),
            _ => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self.kind {
            Kind::IsLonger => SizeHint::with_exact(15),
            Kind::IsShorter => SizeHint::with_exact(25),
            Kind::SaysItIsEmpty => SizeHint::with_exact(0),
            _ => SizeHint::new(),
        }
    }
}

async fn lie(Path(path): Path<String>) -> Body {
    let kind = KINDS.iter().find(|(at, _)| at[1..] == path).unwrap().1;
    Body::new(Liar { kind, polls: 0 })
}

/// An application with a limit of 1 that lasts until the body has ended.
fn app() -> (Limiter, Router) {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody);
    let limiter = limit.limiter();
    let app = Router::new()
        .route("/{kind}", any(lie))
        .route("/", get(async || "answer"))
        .layer((RespondLayer::new(), limit));
    (limiter, app)
}

#[tokio::test]
async fn a_body_that_lies_gives_its_permit_back_over_http_1() {
    let (limiter, app) = app();
    let address = serve(app).await;
    for (path, kind) in KINDS {
        let mut client = Client::connect(address).await;
        let head = format!("GET {path} HTTP/1.1\r\nconnection: close");
        client.ask(&head).await;
        client.rest().await;
        until(|| numbers(&limiter) == (0, 0)).await;
        let status = Client::connect(address).await.get().await;
        assert_eq!(status, 200, "after one that {kind:?}");
    }
}

#[tokio::test]
async fn a_body_that_lies_gives_its_permit_back_over_http_2() {
    let (limiter, app) = app();
    let address = serve(app).await;
    for (path, kind) in KINDS {
        let stream = TcpStream::connect(address).await.unwrap();
        let (mut client, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
        let connection = tokio::spawn(connection);
        client.ready().await.unwrap();
        let request = Request::get(format!("http://{address}{path}"));
        let request = request.body(Body::empty()).unwrap();
        if let Ok(response) = client.send_request(request).await {
            assert_eq!(response.status(), StatusCode::OK);
            let _ = axum::body::to_bytes(Body::new(response.into_body()), 1_000).await;
        }
        until(|| numbers(&limiter) == (0, 0)).await;
        connection.abort();
        let status = Client::connect(address).await.get().await;
        assert_eq!(status, 200, "after one that {kind:?}");
    }
}

/// What is sent after a tunnel has been opened is no body.
#[tokio::test]
async fn the_answer_to_connect_holds_nothing_after_its_head() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody);
    let limiter = limit.limiter();
    let app = Router::new()
        .fallback(async || Body::from_stream(pending::<io::Result<Bytes>>()))
        .layer((RespondLayer::new(), limit));
    let mut client = Client::connect(serve(app).await).await;
    client.ask("CONNECT there:80 HTTP/1.1").await;
    client.read_until("\r\n\r\n").await;
    until(|| numbers(&limiter) == (0, 0)).await;
}

#[tokio::test]
async fn a_client_that_goes_away_ends_its_fallback() {
    let (gated, behind) = (Gated::new(), Gated::new());
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody);
    let limiter = limit.limiter();
    let handler = {
        let gated = gated.clone();
        async move || gated.work().await
    };
    // As many as there are calls of the fallback, and as it has clones.
    let there = Arc::new(());
    let stale = {
        let (behind, there) = (behind.clone(), Arc::clone(&there));
        service_fn(move |rejected: Rejected<Request<Body>>| {
            let (behind, there) = (behind.clone(), Arc::clone(&there));
            async move {
                behind.work().await;
                drop(there);
                let reason = rejected.rejection.reason().as_str();
                Ok::<_, Infallible>(Response::new(Body::from(reason)))
            }
        })
    };
    let service = limit.fallback(stale).layer(handler.with_state(()));
    let service = RespondLayer::new().layer(service);
    let address = serve(Router::new().route_service("/", service)).await;
    let mut running = Client::connect(address).await;
    running.send().await;
    until(|| gated.inside() == 1).await;

    let mut gone = Client::connect(address).await;
    gone.send().await;
    until(|| behind.inside() == 1).await;
    assert_eq!(numbers(&limiter), (1, 0));
    let during = Arc::strong_count(&there);
    gone.reset();
    until(|| Arc::strong_count(&there) < during).await;

    let mut stale = Client::connect(address).await;
    stale.send().await;
    behind.end(1);
    stale.read_until("limit_reached").await;
    assert_eq!(numbers(&limiter), (1, 0));
    gated.end(1);
    assert_eq!(running.status().await, 200);
    until(|| numbers(&limiter) == (0, 0)).await;
}
