//! What does an axum server tell Prometheus of its limits?
//!
//! How much runs and how many wait, how many came and what became of them, how
//! long they waited and how long the work took, each on its own. The recorder
//! comes before the limits. The gauges are read where the page is made, so they
//! are exact at each scrape and cost the calls nothing.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tower::BoxError;
use tower_inflight::http::RespondLayer;
use tower_inflight::{ConcurrencyLimitLayer, metrics};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// The application, and beside it the page for Prometheus, which no limit may
/// keep waiting.
fn app(
    limit: ConcurrencyLimitLayer,
    database: Arc<Semaphore>,
    recorder: PrometheusHandle,
) -> Router {
    let page = Router::new()
        .route("/metrics", get(page))
        .with_state(recorder);
    Router::new()
        .route("/report", get(report))
        .layer((RespondLayer::new(), limit))
        .with_state(database)
        .merge(page)
}

async fn page(State(recorder): State<PrometheusHandle>) -> String {
    metrics::publish();
    recorder.render()
}

/// Works until the show gives it an answer.
async fn report(State(database): State<Arc<Semaphore>>) -> &'static str {
    let answer = database.acquire().await.expect("it is never closed");
    answer.forget();
    "the report"
}

/// Asks for four reports, where one may run and two may wait, and takes one
/// back.
async fn show() -> Result<Vec<String>, BoxError> {
    let recorder = PrometheusBuilder::new().install_recorder()?;
    let limit = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(2)
        .name("report")
        .build()?;
    let limiter = limit.limiter();
    let database = Arc::new(Semaphore::new(0));
    let address = serve(app(limit, Arc::clone(&database), recorder)).await?;

    let running = tokio::spawn(fetch(address, "/report"));
    until(|| limiter.snapshot().in_flight == 1).await;
    let waiting = tokio::spawn(fetch(address, "/report"));
    until(|| limiter.snapshot().queued == 1).await;
    let impatient = tokio::spawn(fetch(address, "/report"));
    until(|| limiter.snapshot().queued == 2).await;
    fetch(address, "/report").await?;
    let mut shown = scrape("busy", address).await?;

    impatient.abort();
    until(|| limiter.snapshot().queued == 1).await;
    database.add_permits(2);
    running.await??;
    waiting.await??;
    shown.extend(scrape("idle", address).await?);
    Ok(shown)
}

/// What the page says, without what is 0 or would be another number tomorrow.
async fn scrape(moment: &str, address: SocketAddr) -> Result<Vec<String>, BoxError> {
    let page = fetch(address, "/metrics").await?;
    let told = page.lines().filter(|line| {
        let is_time = line.contains("_sum") || line.contains("quantile");
        line.starts_with("inflight_") && !line.ends_with(" 0") && !is_time
    });
    let mut lines: Vec<_> = told.map(|line| format!("{moment}: {line}")).collect();
    lines.sort();
    Ok(lines)
}

async fn serve(app: Router) -> Result<SocketAddr, BoxError> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(axum::serve(listener, app).into_future());
    Ok(address)
}

async fn fetch(address: SocketAddr, path: &'static str) -> Result<String, reqwest::Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let response = client.get(format!("http://{address}{path}")).send().await?;
    response.text().await
}

async fn until(reached: impl Fn() -> bool) {
    while !reached() {
        yield_now().await;
    }
}

#[cfg(test)]
#[tokio::test]
async fn a_scrape_says_what_runs_and_what_became_of_the_rest() {
    assert_eq!(
        show().await.unwrap(),
        [
            r#"busy: inflight_admitted_total{limiter="report"} 1"#,
            r#"busy: inflight_in_flight{limiter="report"} 1"#,
            r#"busy: inflight_limit{limiter="report"} 1"#,
            r#"busy: inflight_max_limit{limiter="report"} 1"#,
            r#"busy: inflight_queued{limiter="report"} 2"#,
            r#"busy: inflight_rejected_total{limiter="report",reason="queue_full"} 1"#,
            r#"idle: inflight_admitted_total{limiter="report"} 2"#,
            r#"idle: inflight_cancelled_total{limiter="report",phase="queued"} 1"#,
            r#"idle: inflight_limit{limiter="report"} 1"#,
            r#"idle: inflight_max_limit{limiter="report"} 1"#,
            r#"idle: inflight_queue_wait_seconds_count{limiter="report"} 2"#,
            r#"idle: inflight_rejected_total{limiter="report",reason="queue_full"} 1"#,
            r#"idle: inflight_service_seconds_count{limiter="report",outcome="success"} 2"#,
        ]
    );
}
