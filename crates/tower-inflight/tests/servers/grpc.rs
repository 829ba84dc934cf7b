//! tonic, over HTTP/2.

use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tonic::Code;
use tonic::service::LayerExt;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tower::ServiceBuilder;
use tower_inflight::ConcurrencyLimitLayer;
use tower_inflight::http::{RespondLayer, UntilBody};

use crate::handler::{Gated, numbers, until};
use crate::worker::{Worker, call, connect};

async fn serve(limit: ConcurrencyLimitLayer, gated: &Gated) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::builder()
        .layer(limit)
        .add_service(Worker(gated.clone()))
        .serve_with_incoming(TcpIncoming::from(listener));
    tokio::spawn(server);
    address
}

#[tokio::test]
async fn the_calls_of_all_connections_share_one_limit() {
    let limit = ConcurrencyLimitLayer::queued(2, 4);
    let limiter = limit.limiter();
    let gated = Gated::new();
    let address = serve(limit, &gated).await;
    let mut calls = JoinSet::new();
    for channel in [connect(address).await, connect(address).await] {
        for _ in 0..3 {
            calls.spawn(call(channel.clone()));
        }
    }
    until(|| numbers(&limiter) == (2, 4) && gated.inside() == 2).await;
    gated.end(6);
    let answers = calls.join_all().await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(gated.peak(), 2);
    until(|| numbers(&limiter) == (0, 0)).await;
}

#[tokio::test]
async fn a_call_that_is_rejected_harms_no_other_of_its_connection() {
    let limit = ConcurrencyLimitLayer::new(1);
    let limiter = limit.limiter();
    let gated = Gated::new();
    let channel = connect(serve(limit, &gated).await).await;
    let running = tokio::spawn(call(channel.clone()));
    until(|| gated.inside() == 1).await;
    assert!(call(channel.clone()).await.is_err());
    assert_eq!(numbers(&limiter), (1, 0));

    gated.end(2);
    running.await.unwrap().unwrap();
    call(channel).await.unwrap();
    assert_eq!(gated.peak(), 1);
}

#[tokio::test]
async fn a_call_that_is_cancelled_frees_its_place() {
    let limit = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = limit.limiter();
    let gated = Gated::new();
    let channel = connect(serve(limit, &gated).await).await;
    let running = tokio::spawn(call(channel.clone()));
    until(|| gated.inside() == 1).await;
    let waiting = tokio::spawn(call(channel.clone()));
    until(|| numbers(&limiter) == (1, 1)).await;
    waiting.abort();
    until(|| numbers(&limiter) == (1, 0)).await;
    running.abort();
    until(|| numbers(&limiter) == (0, 0)).await;
}

/// The limit around the whole server, and around one of its services.
async fn serve_in_band(limit: &ConcurrencyLimitLayer, gated: &Gated) -> [SocketAddr; 2] {
    let stack = ServiceBuilder::new()
        .layer(RespondLayer::grpc())
        .layer(limit.clone());
    let worker = Worker(gated.clone());
    let whole = Server::builder()
        .layer(stack.clone())
        .add_service(worker.clone());
    // Its name is what tonic routes by.
    let one = Server::builder().add_service(stack.named_layer(worker));

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let around_all = listener.local_addr().unwrap();
    tokio::spawn(whole.serve_with_incoming(TcpIncoming::from(listener)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let around_one = listener.local_addr().unwrap();
    tokio::spawn(one.serve_with_incoming(TcpIncoming::from(listener)));
    [around_all, around_one]
}

// F123
#[tokio::test]
async fn a_rejection_is_told_in_band_and_harms_no_other_call() {
    for at in 0..2 {
        let limit = ConcurrencyLimitLayer::new(1);
        let limiter = limit.limiter();
        let gated = Gated::new();
        let channel = connect(serve_in_band(&limit, &gated).await[at]).await;
        let running = tokio::spawn(call(channel.clone()));
        until(|| gated.inside() == 1).await;

        let status = call(channel.clone()).await.unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted);
        assert_eq!(status.message(), "the server is overloaded: limit_reached");
        limiter.close();
        let status = call(channel).await.unwrap_err();
        assert_eq!(status.code(), Code::Unavailable);

        gated.end(1);
        running.await.unwrap().unwrap();
        assert_eq!(numbers(&limiter), (0, 0));
    }
}

#[tokio::test]
async fn a_permit_that_lives_until_the_trailers_hinders_none_of_them() {
    let limit = ConcurrencyLimitLayer::queued(1, 3).with_hold(UntilBody);
    let limiter = limit.limiter();
    let gated = Gated::new();
    let service = ServiceBuilder::new()
        .layer(RespondLayer::grpc())
        .layer(limit)
        .named_layer(Worker(gated.clone()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::builder().add_service(service);
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));

    let channel = connect(address).await;
    let calls: JoinSet<_> = (0..4).map(|_| call(channel.clone())).collect();
    until(|| numbers(&limiter) == (1, 3) && gated.inside() == 1).await;
    gated.end(4);
    // The status is in the trailers.
    let answers = calls.join_all().await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(gated.peak(), 1);
    until(|| numbers(&limiter) == (0, 0)).await;
}
