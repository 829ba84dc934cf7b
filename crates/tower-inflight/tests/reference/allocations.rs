use std::future::{Ready, ready};

use inflight_test::{count_allocations, poll_once};
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::builder::ConcurrencyLimitBuilder;
use tower_inflight::{ConcurrencyLimitLayer, PriorityQueueLayer};

const CALLS: usize = 10_000;

fn answer(request: u32) -> Ready<Result<u32, &'static str>> {
    ready(Ok(request))
}

fn builders() -> [ConcurrencyLimitBuilder; 2] {
    let builder = || ConcurrencyLimitLayer::builder().max_concurrency(1);
    [builder(), builder().on_rejected(|_| ())]
}

/// Allocations of 10,000 calls, after as many that may warm up.
fn count(mut call: impl FnMut()) -> u64 {
    (0..CALLS).for_each(|_| call());
    count_allocations(|| (0..CALLS).for_each(|_| call()))
        .1
        .count
}

// K124
#[test]
fn an_admitted_call_allocates_nothing() {
    for builder in builders() {
        let mut service = builder.build().unwrap().layer(service_fn(answer));
        let reused = count(|| {
            let mut call = service.call(7);
            assert!(poll_once(&mut call).is_ready());
        });
        let cloned = count(|| {
            let mut call = service.clone().oneshot(7);
            assert!(poll_once(&mut call).is_ready());
        });
        assert_eq!((reused, cloned), (0, 0));
    }
}

// K124
#[test]
fn an_admitted_call_allocates_nothing_where_there_are_priorities() {
    let layer = PriorityQueueLayer::new(1, 1, |request: &u32| i32::from(*request > 7));
    let mut service = layer.layer(service_fn(answer));
    let admitted = count(|| {
        let mut call = service.call(7);
        assert!(poll_once(&mut call).is_ready());
    });
    assert_eq!(admitted, 0);
}

#[test]
fn a_rejected_call_allocates_nothing() {
    for builder in builders() {
        let layer = builder.build().unwrap();
        let _held = layer.limiter().try_acquire().unwrap();
        let mut service = layer.layer(service_fn(answer));
        let rejected = count(|| {
            let mut call = service.call(7);
            assert!(poll_once(&mut call).is_ready());
        });
        assert_eq!(rejected, 0);
    }
}

#[test]
fn a_call_that_waits_allocates_nothing_where_one_has_waited_before() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(answer));
    let waited = count(|| {
        let held = limiter.try_acquire().unwrap();
        let mut call = service.call(7);
        assert!(poll_once(&mut call).is_pending());
        drop(held);
        assert!(poll_once(&mut call).is_ready());
    });
    assert_eq!(waited, 0);
}

#[tokio::test(start_paused = true)]
async fn a_queue_timeout_costs_one_allocation_for_each_that_waits() {
    let layer = ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(std::time::Duration::from_secs(1))
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(answer));
    let waited = count(|| {
        let held = limiter.try_acquire().unwrap();
        let mut call = service.call(7);
        assert!(poll_once(&mut call).is_pending());
        drop(held);
        assert!(poll_once(&mut call).is_ready());
    });
    assert_eq!(waited, CALLS as u64);
}
