//! Limiters inside themselves, and retries around them.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use inflight_test::Script;
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep};
use tower::retry::Policy;
use tower::{BoxError, Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, LimiterOptions, Reason, Rejection};

use crate::workshop::{expect, ms, patient, reason};

// F181
#[tokio::test(start_paused = true)]
async fn a_handler_that_calls_through_its_own_limiter_is_told_and_does_not_hang() {
    let cases = [
        (Limiter::new(1), Reason::LimitReached, 0),
        (patient(1, 1, ms(100)), Reason::QueueTimeout, 100),
    ];
    for (limiter, expected, elapsed) in cases {
        let layer = ConcurrencyLimitLayer::from(limiter.clone());
        let inner = layer.layer(service_fn(|()| async { Ok::<_, Infallible>(()) }));
        let mut outer = layer.layer(service_fn(move |()| {
            let call = inner.clone().call(());
            async move { Ok::<_, Infallible>(call.await) }
        }));
        let start = Instant::now();
        let error = outer.call(()).await.unwrap().unwrap_err();
        assert_eq!(error.rejection().unwrap().reason(), expected);
        assert_eq!(start.elapsed(), ms(elapsed));
        expect(&limiter, 0, 0);
    }
}

/// Tries thrice in all, rejections too.
#[derive(Clone)]
struct Thrice(usize);

impl Policy<u32, u32, BoxError> for Thrice {
    type Future = Sleep;

    fn retry(&mut self, _: &mut u32, result: &mut Result<u32, BoxError>) -> Option<Sleep> {
        result.as_ref().err()?;
        self.0 = self.0.checked_sub(1)?;
        Some(sleep(ms(100)))
    }

    fn clone_request(&mut self, request: &u32) -> Option<u32> {
        Some(*request)
    }
}

// F81
#[tokio::test(start_paused = true)]
async fn every_attempt_asks_whether_the_service_is_ready() {
    let script: Script<u32, u32, BoxError> = Script::new();
    for (job, answer) in [(0, Err("first")), (1, Err("second")), (2, Ok(7))] {
        script.work().finish(job, answer.map_err(BoxError::from));
        script
            .work()
            .finish(job + 3, answer.map_err(BoxError::from));
    }
    let outside = ServiceBuilder::new()
        .retry(Thrice(2))
        .map_err(BoxError::from)
        .layer(ConcurrencyLimitLayer::new(1))
        .service(script.service());
    let inside = ServiceBuilder::new()
        .map_err(BoxError::from)
        .layer(ConcurrencyLimitLayer::new(1))
        .retry(Thrice(2))
        .service(script.service());
    // The script panics at a call that has not been ready.
    assert_eq!(outside.oneshot(1).await.unwrap(), 7);
    assert_eq!(inside.oneshot(2).await.unwrap(), 7);
    assert_eq!(script.requests(), [1, 1, 1, 2, 2, 2]);
    assert!(script.readiness_counts().polls >= 6);
}

// F183
#[tokio::test(start_paused = true)]
async fn calls_that_pause_before_they_try_again_hold_nothing() {
    let layer = ConcurrencyLimitLayer::queued(2, 1_000);
    let limiter = layer.limiter();
    let tried = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tried);
    let service = ServiceBuilder::new()
        .retry(Thrice(2))
        .map_err(BoxError::from)
        .layer(layer)
        .service(service_fn(move |_: u32| {
            counted.fetch_add(1, Ordering::Relaxed);
            async { Err::<u32, BoxError>("broken".into()) }
        }));
    let mut callers = JoinSet::new();
    for caller in 0..1_000 {
        callers.spawn(service.clone().oneshot(caller));
    }
    let probe = limiter.clone();
    callers.spawn(async move {
        // In the middle of the pause.
        sleep(ms(50)).await;
        expect(&probe, 0, 0);
        Ok(0)
    });
    let answers = callers.join_all().await;
    let failed = answers.iter().filter_map(|answer| answer.as_ref().err());
    assert_eq!(failed.clone().count(), 1_000);
    assert!(failed.clone().all(|error| reason(error).is_none()));
    assert_eq!(tried.load(Ordering::Relaxed), 3_000);
    expect(&limiter, 0, 0);
}

// F125
#[tokio::test]
async fn of_two_limiters_in_a_stack_the_error_says_which_one_rejected_and_why() {
    let [front, back] = [("nesting::front", 1), ("nesting::back", 2)].map(|(name, queue_limit)| {
        ConcurrencyLimitLayer::builder()
            .max_concurrency(1)
            .queue_limit(queue_limit)
            .name(name)
            .build()
            .unwrap()
    });
    let service = ServiceBuilder::new()
        .map_err(BoxError::from)
        .layer(front.clone())
        .layer(back.clone())
        .service(service_fn(|()| async { Ok::<_, BoxError>(()) }));
    for (limiter, text) in [
        (
            front.limiter(),
            "concurrency limit `nesting::front` rejected the call: \
             queue full (1 of 1 running, 1 of 1 queued)",
        ),
        (
            back.limiter(),
            "concurrency limit `nesting::back` rejected the call: \
             queue full (1 of 1 running, 2 of 2 queued)",
        ),
    ] {
        let LimiterOptions::Fixed(options) = limiter.options() else {
            panic!("it is not adaptive");
        };
        let _held = limiter.try_acquire().unwrap();
        let _waiting: Vec<_> = (0..options.queue_limit)
            .map(|_| limiter.acquire())
            .collect();
        let error = service.clone().oneshot(()).await.unwrap_err();
        assert_eq!(error.to_string(), text);
        let rejection: &Rejection = error.downcast_ref().unwrap();
        assert_eq!(rejection.name(), limiter.name());
        assert_eq!(rejection.reason(), Reason::QueueFull);
        assert_eq!(rejection.limit(), 1);
        assert_eq!(rejection.queue_limit(), options.queue_limit);
    }
}
