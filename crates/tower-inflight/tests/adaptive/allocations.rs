//! A call that is admitted at once allocates nothing.

use std::convert::Infallible;
use std::future::ready;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use inflight_test::count_allocations;
use tower::{Layer, Service, service_fn};
use tower_inflight::{AdaptiveAimdLayer, Outcome};

const CALLS: u64 = 10_000;

// K124: the adaptive limit
#[test]
fn an_admitted_call_allocates_nothing() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(1)
        .on_rejected(|_| {})
        .classify(|result: &Result<u64, Infallible>| match result {
            Ok(_) => Outcome::Success,
            Err(never) => match *never {},
        })
        .build()
        .unwrap();
    let mut service = layer.layer(service_fn(|number| ready(Ok::<u64, Infallible>(number))));
    let mut sum = 0;
    let mut call = |number| {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(service.poll_ready(&mut cx).is_ready());
        if let Poll::Ready(Ok(number)) = pin!(service.call(number)).poll(&mut cx) {
            sum += number;
        }
    };
    call(0);
    let ((), allocations) = count_allocations(|| (1..=CALLS).for_each(&mut call));
    assert_eq!(allocations.count, 0);
    assert_eq!(sum, CALLS * (CALLS + 1) / 2, "all were answered");
}

#[test]
fn neither_does_a_rejected_nor_a_dropped_one() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(1)
        .build()
        .unwrap();
    let mut service = layer.layer(service_fn(|(): ()| ready(Ok::<_, Infallible>(()))));
    let ((), allocations) = count_allocations(|| {
        for _ in 0..CALLS {
            let held = service.call(());
            let mut cx = Context::from_waker(Waker::noop());
            assert!(pin!(service.call(())).poll(&mut cx).is_ready());
            drop(held);
        }
    });
    assert_eq!(allocations.count, 0);
}
