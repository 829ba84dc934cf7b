//! What if one call costs sixteen times as much as another?
//!
//! Then the limit counts what is scarce, memory here, and each call takes its
//! share of it. The clock is paused, so that the times are exact.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::convert::Infallible;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower::{BoxError, Service, ServiceBuilder, service_fn};
use tower_inflight::ConcurrencyLimitLayer;

#[derive(Clone, Copy)]
struct Export {
    period: &'static str,
    rows: u32,
}

impl Export {
    /// An estimate will do, as long as it grows with the cost.
    fn gigabytes(&self) -> u32 {
        self.rows.div_ceil(1_000_000)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// Asks for five exports at one moment, where 16 GB may be in use.
async fn show() -> Result<Vec<String>, BoxError> {
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(16)
        .queue_limit(10)
        .weight(Export::gigabytes)
        .name("export")
        .build()?;
    let mut exports = ServiceBuilder::new()
        .layer(layer)
        .service(service_fn(export));

    let start = Instant::now();
    let mut calls = JoinSet::new();
    for (period, rows) in [
        ("day", 800_000),
        ("month", 4_000_000),
        ("year", 16_000_000), // waits until it has everything
        ("week", 2_000_000),  // would fit beside the first two, but passes nobody
        ("century", 90_000_000),
    ] {
        let asked = Export { period, rows };
        let call = exports.call(asked);
        calls.spawn(async move {
            let outcome = match call.await {
                Ok(began) => {
                    let (from, to) = (began - start, start.elapsed());
                    format!("{:>3} to {} ms", from.as_millis(), to.as_millis())
                }
                Err(error) => error.to_string(),
            };
            format!("{:<7} {:>2} GB  {outcome}", asked.period, asked.gigabytes())
        });
    }

    let mut lines = Vec::new();
    while let Some(line) = calls.join_next().await {
        lines.push(line?);
    }
    Ok(lines)
}

/// Says when it began.
async fn export(_: Export) -> Result<Instant, Infallible> {
    let began = Instant::now();
    sleep(Duration::from_millis(100)).await;
    Ok(began)
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn a_heavy_call_runs_alone_and_is_not_starved() {
    assert_eq!(
        show().await.unwrap(),
        [
            "century 90 GB  concurrency limit `export` rejected the call: \
             heavier than the limit of 16 can become",
            "day      1 GB    0 to 100 ms",
            "month    4 GB    0 to 100 ms",
            "year    16 GB  100 to 200 ms",
            "week     2 GB  200 to 300 ms",
        ]
    );
}
