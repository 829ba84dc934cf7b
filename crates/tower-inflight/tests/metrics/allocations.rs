use std::future::{Ready, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use inflight_test::{count_allocations, poll_once};
use metrics::{
    Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
    with_local_recorder,
};
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::{AdaptiveAimdLayer, ConcurrencyLimitLayer};

const CALLS: u32 = 10_000;

fn answer(request: u32) -> Ready<Result<u32, &'static str>> {
    ready(Ok(request))
}

/// Allocations of 10,000 calls, after as many that may warm up.
fn count(mut call: impl FnMut()) -> u64 {
    (0..CALLS).for_each(|_| call());
    let ((), allocations) = count_allocations(|| (0..CALLS).for_each(|_| call()));
    allocations.count
}

// K124
#[test]
fn an_admitted_call_allocates_nothing_while_a_recorder_counts_it() {
    let recorder = Sums::default();
    let fixed = ConcurrencyLimitLayer::builder().on_rejected(|_| ());
    let (fixed, adaptive) = with_local_recorder(&recorder, || {
        (fixed.build().unwrap(), AdaptiveAimdLayer::new())
    });
    let mut service = fixed.layer(service_fn(answer));
    let reused = count(|| assert!(poll_once(&mut service.call(7)).is_ready()));
    let cloned = count(|| assert!(poll_once(&mut service.clone().oneshot(7)).is_ready()));
    let mut service = adaptive.layer(service_fn(answer));
    let adaptive = count(|| assert!(poll_once(&mut service.call(7)).is_ready()));
    assert_eq!((reused, cloned, adaptive), (0, 0, 0));
    let calls = 6 * u64::from(CALLS);
    assert_eq!(recorder.0.0.load(Ordering::Relaxed), calls);
    assert_eq!(recorder.1.0.load(Ordering::Relaxed), calls);
}

#[test]
fn a_rejected_call_allocates_nothing_while_a_recorder_counts_it() {
    let recorder = Sums::default();
    let layer = with_local_recorder(&recorder, || ConcurrencyLimitLayer::new(1));
    let mut service = layer.layer(service_fn(answer));
    let _held = layer.limiter().try_acquire().unwrap();
    let rejected = count(|| assert!(poll_once(&mut service.call(7)).is_ready()));
    assert_eq!(rejected, 0);
    let counted = recorder.0.0.load(Ordering::Relaxed);
    assert_eq!(counted, 1 + 2 * u64::from(CALLS));
}

/// All counters in one, and all histograms by the number of what they hold. It
/// takes no memory, unlike a recorder that keeps what it is told.
#[derive(Default)]
struct Sums(Arc<Sum>, Arc<Sum>);

#[derive(Default)]
struct Sum(AtomicU64);

impl metrics::CounterFn for Sum {
    fn increment(&self, value: u64) {
        self.0.fetch_add(value, Ordering::Relaxed);
    }

    fn absolute(&self, _: u64) {
        panic!("what calls count is counted one by one");
    }
}

impl HistogramFn for Sum {
    fn record(&self, _: f64) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Recorder for Sums {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Arc::clone(&self.0))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Arc::clone(&self.1))
    }
}
