use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::routing::get;
use axum::{Extension, Router};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, yield_now};
use tower::BoxError;
use tower_inflight::http::RespondLayer;
use tower_inflight::{ConfigError, KeyedLimitLayer, KeyedLimiter};

use crate::directory::{Directory, Tenant};

/// The application, and its limiter.
fn app(
    directory: Directory,
    database: Arc<Semaphore>,
) -> Result<(Router, KeyedLimiter<Tenant>), ConfigError> {
    let tenants = directory.clone();
    let limit =
        KeyedLimitLayer::builder(move |request: &Request| tenants.tenant(request.headers()))
            .key_plan(|tenant| tenant.plan())
            .max_concurrency(4)
            .build()?;
    let limiter = limit.limiter();
    let app = Router::new()
        .route("/report", get(report))
        .layer((RespondLayer::new(), limit))
        .layer(Extension(database))
        .with_state(directory);
    Ok((app, limiter))
}

/// Works until the show gives it an answer.
async fn report(tenant: Tenant, Extension(database): Extension<Arc<Semaphore>>) -> String {
    let answer = database.acquire().await.expect("it is never closed");
    answer.forget();
    format!("the report of {tenant:?}")
}

/// Asks for reports until three tenants have what they may have, and then on.
pub(crate) async fn show() -> Result<Vec<String>, BoxError> {
    let directory = Directory::new([
        ("k-7f3a", Tenant::Paying(1)),
        ("k-91c2", Tenant::Trying(2)),
        ("k-0be5", Tenant::Paying(3)),
    ]);
    let database = Arc::new(Semaphore::new(0));
    let (app, limiter) = app(directory, Arc::clone(&database))?;
    let address = serve(app).await?;

    let mut running = JoinSet::new();
    for key in ["k-7f3a", "k-7f3a", "k-91c2", "a guess"] {
        running.spawn(fetch(address, key));
    }
    while limiter.snapshot().total.in_flight < 4 {
        yield_now().await;
    }
    let mut lines = Vec::new();
    for (who, key) in [
        ("a third of a paying tenant: ", "k-7f3a"),
        ("another guess at a key:     ", "another guess"),
        ("a tenant who has none yet:  ", "k-0be5"),
    ] {
        lines.push(format!("{who}{}", fetch(address, key).await?));
    }
    database.add_permits(4);
    let mut answers = Vec::new();
    while let Some(answer) = running.join_next().await {
        answers.push(answer??);
    }
    answers.sort();
    lines.extend(answers);
    lines.push(format!("tenants that are remembered: {}", limiter.keys()));
    Ok(lines)
}

async fn serve(app: Router) -> Result<SocketAddr, BoxError> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(axum::serve(listener, app).into_future());
    Ok(address)
}

async fn fetch(address: SocketAddr, key: &'static str) -> Result<String, reqwest::Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let request = client.get(format!("http://{address}/report"));
    let response = request.header("x-api-key", key).send().await?;
    let status = response.status();
    Ok(format!("{status}, {}", response.text().await?))
}
