//! Blocking work, which nobody can stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::{Extension, State};
use axum::routing::get;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use tower_inflight::http::{PermitHandle, RespondLayer};
use tower_inflight::{ConcurrencyLimitLayer, UntilResponse};

use crate::client::Client;
use crate::handler::{Gated, numbers, serve, until};

/// Counts the requests that are gone.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

async fn thumbnail(
    State(gated): State<Gated>,
    Extension(permit): Extension<PermitHandle>,
    Extension(requests): Extension<Arc<AtomicUsize>>,
) -> &'static str {
    let _dropped = Dropped(requests);
    let permit = permit.hold();
    let work = spawn_blocking(move || {
        Handle::current().block_on(gated.work());
        drop(permit);
    });
    work.await.unwrap();
    "a small picture"
}

// F13
#[tokio::test]
async fn a_job_that_outlives_its_client_keeps_the_permit() {
    let limit = ConcurrencyLimitLayer::queued(1, 1).with_hold(UntilResponse.with_handle());
    let limiter = limit.limiter();
    let gated = Gated::new();
    let gone = Arc::new(AtomicUsize::new(0));
    let app = Router::new()
        .route("/", get(thumbnail))
        .layer((RespondLayer::new(), limit))
        .layer(Extension(Arc::clone(&gone)))
        .with_state(gated.clone());
    let address = serve(app).await;

    let mut impatient = Client::connect(address).await;
    impatient.send().await;
    until(|| gated.inside() == 1).await;
    let mut second = Client::connect(address).await;
    second.send().await;
    until(|| numbers(&limiter) == (1, 1)).await;
    drop(impatient);
    until(|| gone.load(Ordering::SeqCst) == 1).await;
    assert_eq!(numbers(&limiter), (1, 1));

    gated.end(2);
    assert_eq!(second.status().await, 200);
    assert_eq!(gated.peak(), 1);
    until(|| numbers(&limiter) == (0, 0)).await;
}
