use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use metrics::with_local_recorder;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use metrics_util::MetricKindMask;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::{Layer, ServiceExt, service_fn};
use tower_inflight::metrics::publish;
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::meter::alone;

async fn page(State(recorder): State<PrometheusHandle>) -> String {
    publish();
    recorder.render()
}

async fn serve(recorder: &PrometheusRecorder) -> io::Result<SocketAddr> {
    let app = Router::new()
        .route("/metrics", get(page))
        .with_state(recorder.handle());
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(axum::serve(listener, app).into_future());
    Ok(address)
}

async fn scrape(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let request = b"GET /metrics HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    Ok(response)
}

#[track_caller]
fn assert_says(page: &str, line: &str) {
    assert!(
        page.lines().any(|other| other == line),
        "no {line:?} in\n{page}"
    );
}

#[tokio::test]
async fn a_scrape_over_http_shows_every_series_with_its_help() {
    let _alone = alone();
    let recorder = PrometheusBuilder::new()
        .with_recommended_naming(true)
        .build_recorder();
    let builder = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(2);
    let layer = with_local_recorder(&recorder, || builder.name("search").build()).unwrap();
    let address = serve(&recorder).await.unwrap();

    let service = layer.layer(service_fn(async |(): ()| Ok::<_, Infallible>(())));
    service.clone().oneshot(()).await.unwrap();
    let held = layer.limiter().try_acquire().unwrap();
    let waiting = layer.limiter().acquire();
    drop(layer.limiter().acquire());
    layer.limiter().try_acquire().unwrap_err();

    let page = scrape(address).await.unwrap();
    for line in [
        "# HELP inflight_in_flight How much is in flight, in units of weight",
        "# TYPE inflight_limit gauge",
        r#"inflight_limit{limiter="search"} 1"#,
        r#"inflight_max_limit{limiter="search"} 1"#,
        r#"inflight_in_flight{limiter="search"} 1"#,
        r#"inflight_queued{limiter="search"} 1"#,
        "# TYPE inflight_admitted_total counter",
        r#"inflight_admitted_total{limiter="search"} 2"#,
        r#"inflight_exempt_total{limiter="search"} 0"#,
        r#"inflight_hook_failures_total{limiter="search"} 0"#,
        r#"inflight_rejected_total{limiter="search",reason="limit_reached"} 1"#,
        r#"inflight_rejected_total{limiter="search",reason="queue_full"} 0"#,
        r#"inflight_cancelled_total{limiter="search",phase="queued"} 1"#,
        r#"inflight_cancelled_total{limiter="search",phase="running"} 0"#,
        r#"inflight_queue_wait_seconds_count{limiter="search"} 1"#,
        r#"inflight_service_seconds_count{limiter="search",outcome="success"} 1"#,
    ] {
        assert_says(&page, line);
    }
    drop((waiting, held));
    let page = scrape(address).await.unwrap();
    assert_says(&page, r#"inflight_in_flight{limiter="search"} 0"#);
    assert_says(&page, r#"inflight_queued{limiter="search"} 0"#);
}

/// Forgets at a collection whatever was not touched since the one before.
fn forgetful() -> PrometheusRecorder {
    let counted = MetricKindMask::COUNTER | MetricKindMask::GAUGE;
    PrometheusBuilder::new()
        .idle_timeout(counted, Some(Duration::ZERO))
        .build_recorder()
}

#[test]
fn a_limiter_that_is_gone_reads_zero_and_then_disappears() {
    let _alone = alone();
    let recorder = forgetful();
    let limiter = with_local_recorder(&recorder, || Limiter::builder().name("gone").build());
    let collect = || {
        publish();
        recorder.handle().render()
    };
    assert_says(&collect(), r#"inflight_limit{limiter="gone"} 10"#);
    drop(limiter);
    assert_says(&collect(), r#"inflight_limit{limiter="gone"} 0"#);
    let page = collect();
    let counted = page
        .lines()
        .filter(|line| line.contains("gone") && !line.contains("seconds"));
    assert_eq!(counted.count(), 0, "{page}");
}

#[test]
fn what_a_limiter_counts_after_a_long_silence_is_not_lost() {
    let _alone = alone();
    let recorder = forgetful();
    let limiter = with_local_recorder(&recorder, || Limiter::builder().name("quiet").build());
    let limiter = limiter.unwrap();
    for _ in 0..3 {
        publish();
        recorder.handle().render();
    }
    let _held = limiter.try_acquire().unwrap();
    publish();
    let page = recorder.handle().render();
    assert_says(&page, r#"inflight_admitted_total{limiter="quiet"} 1"#);
}
