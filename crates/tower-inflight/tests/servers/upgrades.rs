//! Connections that become something else, as websockets do.

use axum::extract::{Extension, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, body::Body};
use http::StatusCode;
use http::header::{CONNECTION, UPGRADE};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::{copy, split};
use tower_inflight::http::{HeldPermit, PermitHandle, RespondLayer};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, UntilResponse};

use crate::client::Client;
use crate::handler::{Gated, numbers, serve, until};

const SHAKE_HANDS: &str = "GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket";

fn app(gated: &Gated) -> (Limiter, Router) {
    let limit = ConcurrencyLimitLayer::new(2).with_hold(UntilResponse.with_handle());
    let limiter = limit.limiter();
    let app = Router::new()
        .route("/", get(shake_hands))
        .layer((RespondLayer::new(), limit))
        .with_state(gated.clone());
    (limiter, app)
}

async fn shake_hands(
    State(gated): State<Gated>,
    Extension(permit): Extension<PermitHandle>,
    mut request: Request,
) -> Response {
    if !request.headers().contains_key(UPGRADE) {
        return StatusCode::UPGRADE_REQUIRED.into_response();
    }
    let permit = permit.hold().expect("the request is still here");
    tokio::spawn(echo(hyper::upgrade::on(&mut request), permit));
    gated.work().await;
    let headers = [(CONNECTION, "upgrade"), (UPGRADE, "websocket")];
    (StatusCode::SWITCHING_PROTOCOLS, headers, Body::empty()).into_response()
}

/// Sends back what it gets, for as long as the socket is open.
async fn echo(upgrade: OnUpgrade, _permit: HeldPermit) {
    if let Ok(upgraded) = upgrade.await {
        let (mut reader, mut writer) = split(TokioIo::new(upgraded));
        // A connection that is reset ends it as well.
        let _ = copy(&mut reader, &mut writer).await;
    }
}

// F115
#[tokio::test]
async fn an_open_socket_holds_its_permit_however_it_ends() {
    let gated = Gated::new();
    gated.end(2);
    let (limiter, app) = app(&gated);
    let address = serve(app).await;
    let mut sockets = Vec::new();
    for open in 1..=2 {
        let mut socket = Client::connect(address).await;
        socket.ask(SHAKE_HANDS).await;
        assert_eq!(socket.status().await, 101);
        socket.write("hello").await;
        socket.read_until("hello").await;
        assert_eq!(numbers(&limiter), (open, 0));
        sockets.push(socket);
    }
    assert_eq!(Client::connect(address).await.get().await, 503);

    sockets.pop().unwrap().close().await;
    until(|| numbers(&limiter) == (1, 0)).await;
    sockets.pop().unwrap().reset();
    until(|| numbers(&limiter) == (0, 0)).await;
}

// F115
#[tokio::test]
async fn a_handshake_that_fails_holds_nothing() {
    let gated = Gated::new();
    let (limiter, app) = app(&gated);
    let address = serve(app).await;

    assert_eq!(Client::connect(address).await.get().await, 426);
    assert_eq!(numbers(&limiter), (0, 0));

    let mut client = Client::connect(address).await;
    client.ask(SHAKE_HANDS).await;
    until(|| gated.inside() == 1).await;
    assert_eq!(numbers(&limiter), (1, 0));
    drop(client);
    until(|| numbers(&limiter) == (0, 0)).await;
}
