//! Whatever the error is, it is an overload, and the caller gets it as it is.

use std::future::{pending, ready};
use std::io;

use tokio::time::advance;
use tower::timeout::{TimeoutLayer, error::Elapsed};
use tower::{BoxError, Layer, Service, ServiceBuilder, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Rejection};

use crate::house::{SECOND, halving, ms};

/// Ten failures in the first window, then one in each of the next three.
async fn fails<S>(service: S, expect: impl Fn(&S::Error))
where
    S: Service<u32> + Clone,
    S::Response: std::fmt::Debug,
    S::Error: std::fmt::Debug,
{
    let layer = halving(4);
    let limiter = layer.limiter();
    let mut service = layer.layer(service);
    let mut fail = async || {
        let error = service.call(1).await.unwrap_err();
        expect(&error.into_service().expect("it is the service's own"));
        limiter.snapshot().limit
    };
    for _ in 0..10 {
        assert_eq!(fail().await, 4, "the window is open");
    }
    for limit in [2, 1, 1] {
        advance(SECOND).await;
        assert_eq!(fail().await, limit);
    }
}

// K85
#[tokio::test(start_paused = true)]
async fn an_error_of_the_service_is_an_overload() {
    let service = service_fn(|_: u32| ready(Err::<(), _>(io::Error::other("disk"))));
    fails(service, |error| assert_eq!(error.to_string(), "disk")).await;
}

// K85, K113 (the inner timeout)
#[tokio::test(start_paused = true)]
async fn a_timeout_inside_is_an_overload() {
    let service = service_fn(|_: u32| pending::<Result<(), BoxError>>());
    let service = TimeoutLayer::new(ms(10)).layer(service);
    fails(service, |error| assert!(error.is::<Elapsed>())).await;
}

// K85
#[tokio::test(start_paused = true)]
async fn a_rejection_further_in_is_an_overload() {
    let inner = ConcurrencyLimitLayer::new(1);
    let _held = inner.limiter().try_acquire().unwrap();
    let service = ServiceBuilder::new()
        .map_err(BoxError::from)
        .layer(inner)
        .service(service_fn(|_: u32| ready(Ok::<_, BoxError>(()))));
    fails(service, |error| assert!(error.is::<Rejection>())).await;
}

// K110: what looks like a cancellation is none if the caller is still there.
#[tokio::test(start_paused = true)]
async fn an_error_that_tells_of_a_cancellation_is_an_overload() {
    let service = service_fn(|_: u32| {
        let task = tokio::spawn(pending::<()>());
        task.abort();
        task
    });
    fails(service, |error| assert!(error.is_cancelled())).await;
}
