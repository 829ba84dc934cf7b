//! How does a client bound what it has in flight at each host, and retry?
//!
//! One limiter a host, so that a slow host takes nothing from the others; the
//! retry stands outside, so that no permit is held while it pauses.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use reqwest::{Client, Url};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, yield_now};
use tokio::time::{sleep, timeout};
use tower::BoxError;
use tower_inflight::Limiter;

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// A client that has two requests in flight at each host that it knows.
struct Hosts {
    client: Client,
    /// By host and port. A map that grew with whatever is asked for would be
    /// the next thing without a bound.
    limiters: HashMap<String, Limiter>,
}

impl Hosts {
    const ATTEMPTS: u32 = 3;
    const FIRST_PAUSE: Duration = Duration::from_millis(5);
    const DEADLINE: Duration = Duration::from_secs(30);

    fn new(hosts: impl IntoIterator<Item = SocketAddr>) -> Result<Self, BoxError> {
        let mut limiters = HashMap::new();
        for host in hosts {
            let limiter = Limiter::builder()
                .max_concurrency(2)
                .queue_limit(20)
                .name(format!("client of {host}"))
                .build()?;
            limiters.insert(host.to_string(), limiter);
        }
        let client = Client::builder().no_proxy().build()?;
        Ok(Self { client, limiters })
    }

    /// Tries, pauses and tries again, which a `GET` allows, until the deadline.
    async fn get(&self, url: Url) -> Result<String, BoxError> {
        timeout(Self::DEADLINE, self.retry(url)).await?
    }

    async fn retry(&self, url: Url) -> Result<String, BoxError> {
        let limiter = self.limiters.get(url.authority()).ok_or("unknown host")?;
        let mut pause = Self::FIRST_PAUSE;
        for _ in 1..Self::ATTEMPTS {
            // A rejection ends it: a line that is full does not want more.
            match limiter.run(self.attempt(url.clone())).await? {
                Err(error) if error.status().is_none_or(|status| status.is_server_error()) => {}
                result => return Ok(result?),
            }
            // Nothing is held now. The pauses differ, so that those who failed
            // together do not come back together.
            sleep(pause.mul_f64(rand::random_range(0.5..1.5))).await;
            pause *= 2;
        }
        Ok(limiter.run(self.attempt(url)).await??)
    }

    /// What the permit covers: until the whole body is there.
    async fn attempt(&self, url: Url) -> Result<String, reqwest::Error> {
        let response = self.client.get(url).send().await?;
        response.error_for_status()?.text().await
    }
}

/// Asks two hosts for six pages each, all at once.
async fn show() -> Result<Vec<String>, BoxError> {
    let (steady, shaky) = (Host::failing(0), Host::failing(6));
    let steady_address = Arc::clone(&steady).serve().await?;
    let shaky_address = Arc::clone(&shaky).serve().await?;
    let client = Arc::new(Hosts::new([steady_address, shaky_address])?);

    let mut pages = JoinSet::new();
    for address in [steady_address, shaky_address] {
        for page in 0..6 {
            let url = Url::parse(&format!("http://{address}/{page}"))?;
            let client = Arc::clone(&client);
            pages.spawn(async move { client.get(url).await });
        }
    }
    for (address, host) in [(steady_address, &steady), (shaky_address, &shaky)] {
        let limiter = &client.limiters[&address.to_string()];
        until(|| {
            let now = limiter.snapshot();
            now.in_flight + now.queued == 6 && host.in_flight() == now.in_flight
        })
        .await;
        host.opening.close();
    }
    let mut answers = 0;
    while let Some(page) = pages.join_next().await {
        page??;
        answers += 1;
    }
    Ok(vec![
        format!("answers:         {answers}"),
        format!("the steady host: {}", steady.seen()),
        format!("the shaky host:  {}", shaky.seen()),
    ])
}

/// A server that fails its first requests, and keeps count.
struct Host {
    failures: usize,
    requests: AtomicUsize,
    in_flight: AtomicUsize,
    peak: AtomicUsize,
    /// It answers nobody until this is closed, so that all meet their limit.
    opening: Semaphore,
}

impl Host {
    fn failing(failures: usize) -> Arc<Self> {
        Arc::new(Self {
            failures,
            requests: AtomicUsize::new(0),
            in_flight: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            opening: Semaphore::new(0),
        })
    }

    async fn serve(self: Arc<Self>) -> Result<SocketAddr, BoxError> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let app = Router::new().route("/{page}", get(page)).with_state(self);
        tokio::spawn(axum::serve(listener, app).into_future());
        Ok(address)
    }

    fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    fn seen(&self) -> String {
        format!(
            "{} requests, {} in flight at most",
            self.requests.load(Ordering::Relaxed),
            self.peak.load(Ordering::Relaxed),
        )
    }
}

async fn page(State(host): State<Arc<Host>>) -> (StatusCode, &'static str) {
    let request = host.requests.fetch_add(1, Ordering::Relaxed);
    let in_flight = host.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
    host.peak.fetch_max(in_flight, Ordering::Relaxed);
    let _ = host.opening.acquire().await;
    host.in_flight.fetch_sub(1, Ordering::Relaxed);
    if request < host.failures {
        return (StatusCode::SERVICE_UNAVAILABLE, "not yet");
    }
    (StatusCode::OK, "the page")
}

async fn until(reached: impl Fn() -> bool) {
    while !reached() {
        yield_now().await;
    }
}

#[cfg(test)]
#[tokio::test]
async fn each_host_has_a_limit_and_a_retry_takes_its_turn() {
    assert_eq!(
        show().await.unwrap(),
        [
            "answers:         12",
            "the steady host: 6 requests, 2 in flight at most",
            "the shaky host:  12 requests, 2 in flight at most",
        ]
    );
}
