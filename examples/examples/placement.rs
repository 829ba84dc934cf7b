//! In which order should a timeout, a retry and a limit stand?
//!
//! Each order is a different promise. The clock is paused, so that the times
//! are exact and nobody waits for them.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};
use tower::retry::Policy;
use tower::timeout::error::Elapsed;
use tower::{BoxError, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Rejection};

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    for line in show().await {
        println!("{line}");
    }
}

/// The same two calls through each order, at a limit of 1.
async fn show() -> Vec<String> {
    [timeouts().await, retries().await, both().await].concat()
}

async fn timeouts() -> [String; 4] {
    let outside = ServiceBuilder::new()
        .timeout(ms(100))
        .layer(ConcurrencyLimitLayer::queued(1, 1))
        .service(service_fn(steady));
    let inside = ServiceBuilder::new()
        .layer(ConcurrencyLimitLayer::queued(1, 1))
        .timeout(ms(100))
        .service(service_fn(steady));
    [
        "timeout, then limit: the timeout bounds the wait and the work".to_owned(),
        calls(outside, ms(60), ms(0)).await,
        "limit, then timeout: the timeout bounds the work alone".to_owned(),
        calls(inside, ms(60), ms(0)).await,
    ]
}

async fn retries() -> [String; 4] {
    let outside = ServiceBuilder::new()
        .retry(Once::after(ms(100)))
        // Now the policy finds a `Rejection` where it finds other errors.
        .map_err(|error| -> BoxError { BoxError::from(error) })
        .layer(ConcurrencyLimitLayer::queued(1, 1))
        .service(fails_first());
    let inside = ServiceBuilder::new()
        .layer(ConcurrencyLimitLayer::queued(1, 1))
        .retry(Once::after(ms(100)))
        .service(fails_first());
    [
        "retry, then limit: nothing is held while a retry pauses".to_owned(),
        calls(outside, ms(10), ms(50)).await,
        "limit, then retry: one permit for the whole loop, the pause included".to_owned(),
        calls(inside, ms(10), ms(50)).await,
    ]
}

async fn both() -> [String; 4] {
    let for_all = ServiceBuilder::new()
        .timeout(ms(100))
        .retry(Once::after(ms(30)))
        .map_err(|error| -> BoxError { BoxError::from(error) })
        .layer(ConcurrencyLimitLayer::queued(1, 1))
        .service(fails_first());
    let for_each = ServiceBuilder::new()
        .retry(Once::after(ms(30)))
        .timeout(ms(100))
        .layer(ConcurrencyLimitLayer::queued(1, 1))
        .service(fails_first());
    [
        "timeout, retry, limit: one time for all attempts, waits and pauses".to_owned(),
        calls(for_all, ms(60), ms(200)).await,
        "retry, timeout, limit: that time for each attempt, its wait included".to_owned(),
        calls(for_each, ms(60), ms(200)).await,
    ]
}

/// Makes two calls of `work` each, the second one `later`, and says how each
/// of them fared.
async fn calls<S>(service: S, work: Duration, later: Duration) -> String
where
    S: Service<Duration, Response = (), Error: Into<BoxError>> + Clone,
{
    let (first, second) = tokio::join!(timed(service.clone(), work), async {
        sleep(later).await;
        timed(service, work).await
    });
    let later = later.as_millis();
    format!("    first call {first}; second, {later} ms later, {second}")
}

async fn timed<S>(service: S, work: Duration) -> String
where
    S: Service<Duration, Response = (), Error: Into<BoxError>>,
{
    let start = Instant::now();
    let outcome = match service.oneshot(work).await.map_err(Into::into) {
        Ok(()) => "answered".to_owned(),
        Err(error) if error.is::<Elapsed>() => "timed out".to_owned(),
        Err(error) => error.to_string(),
    };
    format!("{outcome} after {} ms", start.elapsed().as_millis())
}

/// A dependency that works for as long as it is told.
async fn steady(work: Duration) -> Result<(), BoxError> {
    sleep(work).await;
    Ok(())
}

/// A dependency whose first answer is an error.
fn fails_first() -> impl Service<Duration, Response = (), Error = BoxError> + Clone {
    let first = Arc::new(AtomicBool::new(true));
    service_fn(move |work| {
        let first = first.swap(false, Ordering::Relaxed);
        async move {
            sleep(work).await;
            if first {
                return Err(BoxError::from("unavailable"));
            }
            Ok(())
        }
    })
}

/// Tries once more after a pause; but not what a limiter turned away, for that
/// would only add to the load.
#[derive(Clone)]
struct Once {
    pause: Duration,
    left: u32,
}

impl Once {
    fn after(pause: Duration) -> Self {
        Self { pause, left: 1 }
    }
}

impl Policy<Duration, (), BoxError> for Once {
    type Future = Sleep;

    fn retry(&mut self, _: &mut Duration, result: &mut Result<(), BoxError>) -> Option<Sleep> {
        let error = result.as_ref().err()?;
        if error.is::<Rejection>() {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        Some(sleep(self.pause))
    }

    fn clone_request(&mut self, work: &Duration) -> Option<Duration> {
        Some(*work)
    }
}

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn each_order_is_a_different_promise() {
    assert_eq!(
        show().await,
        [
            "timeout, then limit: the timeout bounds the wait and the work",
            "    first call answered after 60 ms; second, 0 ms later, timed out after 100 ms",
            "limit, then timeout: the timeout bounds the work alone",
            "    first call answered after 60 ms; second, 0 ms later, answered after 120 ms",
            "retry, then limit: nothing is held while a retry pauses",
            "    first call answered after 120 ms; second, 50 ms later, answered after 10 ms",
            "limit, then retry: one permit for the whole loop, the pause included",
            "    first call answered after 120 ms; second, 50 ms later, answered after 80 ms",
            "timeout, retry, limit: one time for all attempts, waits and pauses",
            "    first call timed out after 100 ms; second, 200 ms later, answered after 60 ms",
            "retry, timeout, limit: that time for each attempt, its wait included",
            "    first call answered after 150 ms; second, 200 ms later, answered after 60 ms",
        ]
    );
}
