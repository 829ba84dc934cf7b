//! With tower's own layers around and inside: what each order measures.

use std::convert::Infallible;
use std::future::pending;

use tokio::time::{Sleep, sleep};
use tower::retry::{Policy, RetryLayer};
use tower::timeout::TimeoutLayer;
use tower::timeout::error::Elapsed;
use tower::{BoxError, Layer, Service, ServiceExt, service_fn};
use tower_inflight::Outcome;

use crate::house::{SECOND, halving, ms};
use crate::recorder::Recorder;

// K113, and K110's other half
#[tokio::test(start_paused = true)]
async fn a_timeout_outside_is_a_cancellation_and_lowers_nothing() {
    let layer = halving(4);
    let limiter = layer.limiter();
    let hanging = service_fn(|_: u32| pending::<Result<(), BoxError>>());
    let mut service = TimeoutLayer::new(ms(600)).layer(layer.layer(hanging));
    for _ in 0..5 {
        let error = service.ready().await.unwrap().call(1).await.unwrap_err();
        assert!(error.is::<Elapsed>());
    }
    assert_eq!(limiter.snapshot().limit, 4);
    assert_eq!(
        limiter.adaptation().unwrap().last,
        None,
        "no window was opened"
    );
}

// K113
#[tokio::test(start_paused = true)]
async fn a_timeout_inside_is_a_failure_and_lowers_the_limit() {
    let layer = halving(4);
    let limiter = layer.limiter();
    let hanging = service_fn(|_: u32| pending::<Result<(), BoxError>>());
    let mut service = layer.layer(TimeoutLayer::new(ms(600)).layer(hanging));
    for limit in [4, 4, 2, 2, 1] {
        service.ready().await.unwrap().call(1).await.unwrap_err();
        assert_eq!(limiter.snapshot().limit, limit);
    }
}

/// Tries again after a pause of 100 ms.
#[derive(Clone)]
struct Twice(usize);

impl<T, E> Policy<usize, T, E> for Twice {
    type Future = Sleep;

    fn retry(&mut self, attempt: &mut usize, result: &mut Result<T, E>) -> Option<Sleep> {
        result.as_ref().err()?;
        self.0 = self.0.checked_sub(1)?;
        *attempt += 1;
        Some(sleep(ms(100)))
    }

    fn clone_request(&mut self, attempt: &usize) -> Option<usize> {
        Some(*attempt)
    }
}

/// Takes 5 ms, and fails at its first two attempts.
async fn third_time_lucky(attempt: usize) -> Result<usize, &'static str> {
    sleep(ms(5)).await;
    if attempt < 2 {
        Err("not yet")
    } else {
        Ok(attempt)
    }
}

// F139
#[tokio::test(start_paused = true)]
async fn a_retry_inside_is_one_long_call() {
    let recorder = Recorder::new(1);
    let retry = RetryLayer::new(Twice(2)).layer(service_fn(third_time_lucky));
    assert_eq!(recorder.layer().layer(retry).oneshot(0).await.unwrap(), 2);
    assert_eq!(recorder.outcomes(), [Outcome::Success]);
    assert_eq!(recorder.latencies(), [215]);
}

// F139
#[tokio::test(start_paused = true)]
async fn a_retry_outside_is_a_call_for_each_attempt() {
    let recorder = Recorder::new(1);
    let attempts = recorder.layer().layer(service_fn(third_time_lucky));
    let limiter = attempts.limiter();
    let call = RetryLayer::new(Twice(2)).layer(attempts).oneshot(0);
    let (response, in_flight) = tokio::join!(call, async {
        sleep(ms(55)).await;
        limiter.snapshot().in_flight
    });
    assert_eq!(response.unwrap(), 2);
    assert_eq!(in_flight, 0, "the pause holds nothing");
    let (good, bad) = (Outcome::Success, Outcome::Overload);
    assert_eq!(recorder.outcomes(), [bad, bad, good]);
    assert_eq!(recorder.latencies(), [5, 5, 5]);
}

#[tokio::test(start_paused = true)]
async fn one_adaptive_limit_inside_another_is_told_of_its_rejections() {
    let (outer, inner) = (Recorder::new(5), Recorder::new(1));
    let service = service_fn(|_: u32| async {
        sleep(SECOND).await;
        Ok::<_, Infallible>(1)
    });
    let mut service = outer.layer().layer(inner.layer().layer(service));
    let (first, second) = (service.call(1), service.call(1));
    let (first, second) = tokio::join!(first, second);
    assert!(first.is_ok());
    assert!(
        second
            .unwrap_err()
            .into_service()
            .unwrap()
            .rejection()
            .is_some()
    );
    assert_eq!(outer.outcomes(), [Outcome::Overload, Outcome::Success]);
    assert_eq!(inner.outcomes(), [Outcome::Success]);
}
