//! HTTP/2: a hundred calls on one connection, whose bodies share one window.
//!
//! Nobody reads the body of a call that waits, so what has come of it keeps its
//! part of the window. Once that is used up, not even the call that runs can
//! read on: with hyper's own settings and an unbounded wait, all of them hang.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper::server::conn::http2::Builder;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tower::{Service, ServiceBuilder, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Error, Limiter, Reason};

const CALLS: u32 = 100;
const BODY: u32 = 64 * 1024;

/// Takes one connection.
async fn serve(listener: TcpListener, limit: ConcurrencyLimitLayer, builder: Server) {
    let mut limited = ServiceBuilder::new().layer(limit).service(service_fn(read));
    let service = service_fn(move |request| {
        let call = limited.call(request);
        async move {
            let mut response = Response::new(Empty::<Bytes>::new());
            *response.status_mut() = match call.await {
                Ok(length) if length == BODY as usize => StatusCode::OK,
                Ok(_) => StatusCode::BAD_REQUEST,
                Err(Error::Rejected(rejection)) => {
                    assert_eq!(rejection.reason(), Reason::QueueTimeout);
                    StatusCode::SERVICE_UNAVAILABLE
                }
                Err(Error::Service(never)) => match never {},
            };
            Ok::<_, Infallible>(response)
        }
    });
    let (stream, _) = listener.accept().await.unwrap();
    stream.set_nodelay(true).unwrap();
    let service = TowerToHyperService::new(service);
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    connection.await.unwrap();
}

type Server = Builder<TokioExecutor>;

fn server() -> Server {
    Builder::new(TokioExecutor::new())
}

async fn read(request: Request<Incoming>) -> Result<usize, Infallible> {
    let body = request.into_body().collect().await.unwrap();
    Ok(body.to_bytes().len())
}

/// Makes all calls at once, and counts those that are answered and rejected.
async fn posts(limit: ConcurrencyLimitLayer, builder: Server) -> (usize, usize) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, limit, builder));
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (client, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream))
        .await
        .unwrap();
    tokio::spawn(connection);

    let mut posts = JoinSet::new();
    for _ in 0..CALLS {
        posts.spawn(post(client.clone(), address));
    }
    let statuses = posts.join_all().await;
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    (
        count(StatusCode::OK),
        count(StatusCode::SERVICE_UNAVAILABLE),
    )
}

async fn post(mut client: SendRequest<Full<Bytes>>, address: SocketAddr) -> StatusCode {
    client.ready().await.unwrap();
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("http://{address}/"))
        .body(Full::from(vec![0; BODY as usize]))
        .unwrap();
    client.send_request(request).await.unwrap().status()
}

fn is_idle(limiter: &Limiter) -> bool {
    let snapshot = limiter.snapshot();
    (snapshot.in_flight, snapshot.queued) == (0, 0)
}

// F117
#[tokio::test(start_paused = true)]
async fn a_queue_timeout_bounds_the_stall_of_a_full_window() {
    let patience = Duration::from_millis(250);
    let limit = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(200)
        .queue_timeout(patience)
        .build()
        .unwrap();
    let limiter = limit.limiter();
    let start = Instant::now();
    let (answered, rejected) = posts(limit, server()).await;
    assert_eq!(answered + rejected, CALLS as usize);
    assert!(answered > 0, "the one that ran could read on");
    assert!(start.elapsed() < 2 * patience, "{:?}", start.elapsed());
    assert!(is_idle(&limiter));
}

// F117
#[tokio::test]
async fn all_are_answered_where_the_window_has_room_for_all_who_may_wait() {
    let by_window = {
        let (each, mut server) = (BODY / 4, server());
        server
            .max_concurrent_streams(CALLS)
            .initial_stream_window_size(each)
            .initial_connection_window_size(CALLS * each);
        server
    };
    let by_streams = {
        let mut server = server();
        server
            .max_concurrent_streams(16)
            .initial_connection_window_size(16 * BODY);
        server
    };
    for server in [by_window, by_streams] {
        let limit = ConcurrencyLimitLayer::queued(1, 200);
        let limiter = limit.limiter();
        assert_eq!(posts(limit, server).await, (CALLS as usize, 0));
        assert!(is_idle(&limiter));
    }
}
