use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tower_inflight::Limiter;

/// Work that ends when the test says so, and counts how much of it there is.
#[derive(Clone, Debug)]
pub(crate) struct Gated {
    ends: Arc<Semaphore>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    inside: AtomicUsize,
    peak: AtomicUsize,
}

impl Gated {
    pub(crate) fn new() -> Self {
        Self {
            ends: Arc::new(Semaphore::new(0)),
            counts: Arc::default(),
        }
    }

    pub(crate) async fn work(&self) {
        let now = self.counts.inside.fetch_add(1, Ordering::SeqCst) + 1;
        self.counts.peak.fetch_max(now, Ordering::SeqCst);
        let end = self.ends.acquire().await.expect("it is never closed");
        end.forget();
        self.counts.inside.fetch_sub(1, Ordering::SeqCst);
    }

    /// Lets so many end, those that have yet to come included.
    pub(crate) fn end(&self, many: usize) {
        self.ends.add_permits(many);
    }

    pub(crate) fn inside(&self) -> usize {
        self.counts.inside.load(Ordering::SeqCst)
    }

    pub(crate) fn peak(&self) -> usize {
        self.counts.peak.load(Ordering::SeqCst)
    }
}

/// Lets the other tasks run until something has come about.
pub(crate) async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        yield_now().await;
    }
}

pub(crate) async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    address
}

/// In flight, and queued.
pub(crate) fn numbers(limiter: &Limiter) -> (usize, usize) {
    let snapshot = limiter.snapshot();
    (snapshot.in_flight, snapshot.queued)
}
