//! What can a full service give instead of an error?
//!
//! Something cheaper: here the bestsellers instead of recommendations. The
//! fallback stands inside the admission, so that it gets the request whole, and
//! the reason, whether there was no room, no patience, or somebody more
//! important. The clock is paused, so that the times are exact.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::convert::Infallible;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower::{BoxError, Service, ServiceBuilder, service_fn};
use tower_inflight::{PriorityQueueLayer, Rejected};

struct Shopper {
    name: &'static str,
    pays: bool,
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// One call runs, one may wait, and four come at one moment.
async fn show() -> Result<Vec<String>, BoxError> {
    let layer = PriorityQueueLayer::builder(|shopper: &Shopper| i32::from(shopper.pays))
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(Duration::from_millis(100))
        .build()?
        .fallback(service_fn(bestsellers));
    let mut shop = ServiceBuilder::new()
        .layer(layer)
        .service(service_fn(recommendations));

    let start = Instant::now();
    let mut calls = JoinSet::new();
    for (name, pays) in [
        ("Ada", false),
        ("Ben", false),  // waits
        ("Cleo", true),  // takes Ben's place, and waits too long
        ("Dora", false), // is not above anybody
    ] {
        let call = shop.call(Shopper { name, pays });
        calls.spawn(async move {
            let page = call.await?;
            let ended = start.elapsed().as_millis();
            Ok::<_, BoxError>(format!("{ended:>3} ms  {page}"))
        });
    }
    let mut lines = Vec::new();
    while let Some(line) = calls.join_next().await {
        lines.push(line??);
    }
    Ok(lines)
}

/// What the shop is for, and what it has not enough of.
async fn recommendations(shopper: Shopper) -> Result<String, Infallible> {
    sleep(Duration::from_millis(250)).await;
    Ok(format!("{}: what {0} may like", shopper.name))
}

/// It runs without a permit, and without a bound: it has to be cheap.
async fn bestsellers(rejected: Rejected<Shopper>) -> Result<String, Infallible> {
    let (name, reason) = (rejected.request.name, rejected.rejection.reason());
    Ok(format!("{name}: the bestsellers ({reason})"))
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn whoever_is_turned_away_gets_the_bestsellers() {
    assert_eq!(
        show().await.unwrap(),
        [
            "  0 ms  Ben: the bestsellers (queue_evicted)",
            "  0 ms  Dora: the bestsellers (queue_full)",
            "100 ms  Cleo: the bestsellers (queue_timeout)",
            "250 ms  Ada: what Ada may like",
        ]
    );
}
