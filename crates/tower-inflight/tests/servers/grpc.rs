//! tonic, over HTTP/2, with a service that no compiler has written.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::uri::PathAndQuery;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, NamedService};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tower::{Service, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::handler::{Gated, until};

/// Messages without content.
#[derive(Clone, Copy, Default)]
struct Empty;

impl Codec for Empty {
    type Encode = ();
    type Decode = ();
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Empty {
    type Item = ();
    type Error = Status;

    fn encode(&mut self, (): (), _: &mut EncodeBuf<'_>) -> Result<(), Status> {
        Ok(())
    }
}

impl Decoder for Empty {
    type Item = ();
    type Error = Status;

    fn decode(&mut self, _: &mut DecodeBuf<'_>) -> Result<Option<()>, Status> {
        Ok(Some(()))
    }
}

/// The service, and its one method.
#[derive(Clone)]
struct Worker(Gated);

impl NamedService for Worker {
    const NAME: &'static str = "test.Worker";
}

impl Service<http::Request<Body>> for Worker {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let gated = self.0.clone();
        let method = service_fn(move |_: Request<()>| {
            let gated = gated.clone();
            async move {
                gated.work().await;
                Ok(Response::new(()))
            }
        });
        Box::pin(async move { Ok(Grpc::new(Empty).unary(method, request).await) })
    }
}

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

async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    endpoint.connect().await.unwrap()
}

async fn call(channel: Channel) -> Result<(), Status> {
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.expect("the channel is open");
    let path = PathAndQuery::from_static("/test.Worker/Work");
    client.unary(Request::new(()), path, Empty).await.map(drop)
}

fn numbers(limiter: &Limiter) -> (usize, usize) {
    let snapshot = limiter.snapshot();
    (snapshot.in_flight, snapshot.queued)
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

/// Which status it is, a later layer decides; that it fails alone, this one.
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
