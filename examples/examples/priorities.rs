//! How do the important calls go first, and which ones give way?
//!
//! One call runs at a time, three may wait. The clock is paused, so that the
//! times are exact.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::convert::Infallible;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower::{BoxError, Service, ServiceBuilder, service_fn};
use tower_inflight::PriorityQueueLayer;

/// The server's own classes: a client that could name its priority would
/// always be in a hurry.
#[derive(Clone, Copy)]
enum Class {
    Background,
    Browsing,
    Paying,
}

impl Class {
    fn priority(self) -> i32 {
        match self {
            Self::Background => -1,
            Self::Browsing => 0,
            Self::Paying => 10,
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// Makes six calls at one moment, and says in what order they end.
async fn show() -> Result<Vec<String>, BoxError> {
    let layer = PriorityQueueLayer::builder(|class: &Class| class.priority())
        .max_concurrency(1)
        .queue_limit(3)
        // Paying customers without end would otherwise starve all others.
        .queue_timeout(Duration::from_secs(1))
        .name("shop")
        .build()?;
    let mut shop = ServiceBuilder::new().layer(layer).service(service_fn(work));

    let start = Instant::now();
    let mut calls = JoinSet::new();
    for (what, class) in [
        ("crawler", Class::Background), // runs: there is room
        ("thumbnails", Class::Background),
        ("front page", Class::Browsing),
        ("search", Class::Browsing), // now the line is full
        ("checkout", Class::Paying), // takes the place of the thumbnails
        ("feed", Class::Background), // is not above anybody
    ] {
        // Its place is decided here, not when it is first polled.
        let call = shop.call(class);
        calls.spawn(async move {
            let outcome = match call.await {
                Ok(()) => "answered".to_owned(),
                Err(error) => error.to_string(),
            };
            let ended = start.elapsed().as_millis();
            format!("{ended:>3} ms  {what:<10}  {outcome}")
        });
    }

    let mut lines = Vec::new();
    while let Some(line) = calls.join_next().await {
        lines.push(line?);
    }
    Ok(lines)
}

async fn work(_: Class) -> Result<(), Infallible> {
    sleep(Duration::from_millis(10)).await;
    Ok(())
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn the_highest_goes_first_and_the_lowest_gives_way() {
    assert_eq!(
        show().await.unwrap(),
        [
            "  0 ms  thumbnails  concurrency limit `shop` rejected the call: \
             evicted from the queue by a higher priority (1 of 1 running, 2 of 3 queued)",
            "  0 ms  feed        concurrency limit `shop` rejected the call: \
             queue full (1 of 1 running, 3 of 3 queued)",
            " 10 ms  crawler     answered",
            " 20 ms  checkout    answered",
            " 30 ms  front page  answered",
            " 40 ms  search      answered",
        ]
    );
}
