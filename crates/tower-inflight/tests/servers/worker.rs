//! A gRPC service with one method, that no compiler has written, and its client.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::uri::PathAndQuery;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, NamedService};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};
use tower::{Service, service_fn};

use crate::handler::Gated;

/// The service, and its one method.
#[derive(Clone)]
pub(crate) struct Worker(pub(crate) Gated);

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

pub(crate) async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    endpoint.connect().await.unwrap()
}

pub(crate) async fn call(channel: Channel) -> Result<(), Status> {
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.expect("the channel is open");
    let path = PathAndQuery::from_static("/test.Worker/Work");
    client.unary(Request::new(()), path, Empty).await.map(drop)
}

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
