//! How are connections and requests bounded in a server on hyper alone?
//!
//! A connection costs memory whether or not it asks for anything, so the
//! accept loop takes a permit *before* it accepts: whoever comes too much
//! waits in the kernel's backlog. The permit moves into the connection's task.
//! Requests have a limit of their own, whose rejections become responses: to
//! hyper an error of the service would mean that the connection has failed.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper::server::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::select;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::yield_now;
use tower::{BoxError, Service, ServiceBuilder, service_fn};
use tower_inflight::http::RespondLayer;
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// Serves until it is told to stop, it cannot accept, or `connections` is
/// closed.
async fn serve<S>(
    listener: TcpListener,
    connections: Limiter,
    service: S,
    mut stop: oneshot::Receiver<()>,
) -> Result<(), BoxError>
where
    S: Service<Request<Incoming>, Response = Response<String>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
{
    loop {
        // Held for the connection that is to come, too. So `connections` is
        // drained only once this loop has ended.
        let permit = connections.acquire().await?;
        let (stream, _) = select! {
            connection = listener.accept() => connection?,
            _ = &mut stop => return Ok(()),
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // It fails if the client goes away, which is the client's affair.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// Lets three clients come, where two connections and one request may be in
/// flight.
async fn show() -> Result<Vec<String>, BoxError> {
    // The accept loop is all that ever waits.
    let connections = Limiter::builder()
        .max_concurrency(2)
        .queue_limit(1)
        .name("connections")
        .build()?;
    let limit = ConcurrencyLimitLayer::new(1);
    let requests = limit.limiter();
    let answers = Arc::new(Semaphore::new(0));
    let handler = Arc::clone(&answers);
    let service = ServiceBuilder::new()
        .layer(RespondLayer::new())
        .layer(limit)
        .service(service_fn(move |_| handle(Arc::clone(&handler))));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel();
    let server = tokio::spawn(serve(listener, connections.clone(), service, stopped));

    let running = tokio::spawn(fetch_and_leave(connect(address).await?));
    until(|| requests.snapshot().in_flight == 1).await;
    let mut second = connect(address).await?;
    let rejected = fetch(&mut second).await?;
    let outside = tokio::spawn(fetch_and_leave(connect(address).await?));
    let again = fetch(&mut second).await?;
    let mut lines = vec![
        format!("second client: {rejected}"),
        format!("second client: {again}, on the same connection"),
        format!(
            "third client:  answered: {}, connections: {}",
            outside.is_finished(),
            connections.snapshot().in_flight,
        ),
    ];

    answers.add_permits(2);
    lines.push(format!("first client:  {}", running.await??));
    lines.push(format!("third client:  {}", outside.await??));

    drop((stop, second));
    server.await??;
    connections.drained().await;
    lines.push("the loop has ended, and no connection is open".to_owned());
    Ok(lines)
}

/// Works until the show gives it an answer.
async fn handle(answers: Arc<Semaphore>) -> Result<Response<String>, Infallible> {
    let answer = answers.acquire().await.expect("it is never closed");
    answer.forget();
    Ok(Response::new("the answer".to_owned()))
}

/// A client with one connection.
async fn connect(address: SocketAddr) -> Result<SendRequest<String>, BoxError> {
    let stream = TcpStream::connect(address).await?;
    let (client, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// Closes the connection once it has the response.
async fn fetch_and_leave(mut client: SendRequest<String>) -> Result<String, BoxError> {
    fetch(&mut client).await
}

async fn fetch(client: &mut SendRequest<String>) -> Result<String, BoxError> {
    client.ready().await?;
    let response = client.send_request(Request::default()).await?;
    let status = response.status();
    let body = response.into_body().collect().await?.to_bytes();
    Ok(format!("{status}, {}", String::from_utf8(body.into())?))
}

async fn until(reached: impl Fn() -> bool) {
    while !reached() {
        yield_now().await;
    }
}

#[cfg(test)]
#[tokio::test]
async fn the_third_connection_waits_outside() {
    assert_eq!(
        show().await.unwrap(),
        [
            "second client: 503 Service Unavailable, \
             the server is overloaded: limit_reached",
            "second client: 503 Service Unavailable, \
             the server is overloaded: limit_reached, on the same connection",
            "third client:  answered: false, connections: 2",
            "first client:  200 OK, the answer",
            "third client:  200 OK, the answer",
            "the loop has ended, and no connection is open",
        ]
    );
}
