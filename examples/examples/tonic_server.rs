//! How does a gRPC server say that it is full, and how is one service limited?
//!
//! In band, as `RESOURCE_EXHAUSTED`: an error out of a layer would reach the
//! client as a broken stream, so `RespondLayer` stands around the limit. And a
//! service that is wrapped in layers has lost the name by which tonic routes to
//! it; `named_layer` keeps it.
//!
//! The messages are plain text, so that no `protoc` is needed; what is
//! generated from a `.proto` file goes in the place of `Search` and `Text`.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, BufMut};
use http::uri::PathAndQuery;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::NamedService;
use tonic::service::LayerExt;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tower::{BoxError, Service, ServiceBuilder, service_fn};
use tower_inflight::ConcurrencyLimitLayer;
use tower_inflight::http::RespondLayer;

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// Makes two calls, where one may run.
async fn show() -> Result<Vec<String>, BoxError> {
    let limit = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .name("search")
        .build()?;
    let limiter = limit.limiter();
    let answers = Arc::new(Semaphore::new(0));
    let search = Search {
        answers: Arc::clone(&answers),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let endpoint = Endpoint::try_from(format!("http://{}", listener.local_addr()?))?;
    let service = ServiceBuilder::new()
        .layer(RespondLayer::grpc())
        .layer(limit)
        .named_layer(search);
    // More services can be added beside it, with limits of their own or none.
    let server = Server::builder().add_service(service);
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));

    let channel = endpoint.connect().await?;
    let running = tokio::spawn(find(channel.clone(), "tower"));
    while limiter.snapshot().in_flight < 1 && !running.is_finished() {
        yield_now().await;
    }
    let status = find(channel, "hyper").await.err().ok_or("admitted")?;
    answers.add_permits(1);
    Ok(vec![
        format!("second call: {:?}, {}", status.code(), status.message()),
        format!("first call:  {}", running.await??),
    ])
}

type Answer = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

/// Works until the show gives it an answer.
#[derive(Clone)]
struct Search {
    answers: Arc<Semaphore>,
}

impl Search {
    async fn find(self, query: Request<String>) -> Result<Response<String>, Status> {
        let answer = self.answers.acquire().await.expect("it is never closed");
        answer.forget();
        Ok(Response::new(format!("found `{}`", query.into_inner())))
    }
}

impl NamedService for Search {
    const NAME: &'static str = "demo.Search";
}

impl Service<http::Request<Body>> for Search {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    /// Its one method, so that the path says nothing new.
    fn call(&mut self, request: http::Request<Body>) -> Answer {
        let search = self.clone();
        let find = service_fn(move |query| search.clone().find(query));
        Box::pin(async move { Ok(tonic::server::Grpc::new(Text).unary(find, request).await) })
    }
}

async fn find(channel: Channel, query: &str) -> Result<String, Status> {
    let mut client = tonic::client::Grpc::new(channel);
    let ready = client.ready().await;
    ready.map_err(|error| Status::unavailable(error.to_string()))?;
    let path = PathAndQuery::from_static("/demo.Search/Find");
    let request = Request::new(query.to_owned());
    Ok(client.unary(request, path, Text).await?.into_inner())
}

/// Text as it is, in the place of protobuf.
#[derive(Clone, Copy)]
struct Text;

impl Codec for Text {
    type Encode = String;
    type Decode = String;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Text {
    type Item = String;
    type Error = Status;

    fn encode(&mut self, text: String, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put_slice(text.as_bytes());
        Ok(())
    }
}

impl Decoder for Text {
    type Item = String;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<String>, Status> {
        let bytes = buffer.copy_to_bytes(buffer.remaining());
        match String::from_utf8(bytes.into()) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(Status::invalid_argument(error.to_string())),
        }
    }
}

#[cfg(test)]
#[tokio::test]
async fn a_rejection_is_resource_exhausted() {
    assert_eq!(
        show().await.unwrap(),
        [
            "second call: ResourceExhausted, the server is overloaded: limit_reached",
            "first call:  found `tower`",
        ]
    );
}
