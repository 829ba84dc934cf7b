use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use inflight_test::{Task, Work};
use metrics::{
    Counter, Gauge, GaugeFn, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit,
    with_local_recorder,
};
use tokio::time::advance;
use tower::{Layer, Service, service_fn};
use tower_inflight::metrics::publish;
use tower_inflight::{AdaptiveAimdLayer, Limiter};

use crate::meter::{Meter, alone, ms};

// K77
#[test]
fn a_gauge_is_set_by_a_publication_and_by_nothing_else() {
    let _alone = alone();
    let recorder = GaugeSettings::default();
    let limiter = with_local_recorder(&recorder, || Limiter::queued(1, 1));
    let set = || recorder.0.load(Ordering::Relaxed);
    for _ in 0..2 {
        let held = limiter.try_acquire().unwrap();
        let mut waiting = Task::new(limiter.acquire());
        waiting.expect_pending();
        drop(held);
        drop(waiting.expect_ready().unwrap());
    }
    limiter.set_limit(2).unwrap();
    assert_eq!(set(), 0);
    publish();
    assert_eq!(set(), 4);
}

// K83
#[tokio::test(start_paused = true)]
async fn the_gauges_of_an_adaptive_limit_are_what_it_is_and_what_it_may_become() {
    let meter = Meter::new();
    let builder = AdaptiveAimdLayer::builder()
        .initial_limit(10)
        .max_limit(100);
    let layer = meter.on(|| builder.name("adaptive").build()).unwrap();
    let fixed = meter
        .on(|| Limiter::builder().name("fixed").build())
        .unwrap();
    let mut service = layer.layer(service_fn(async |(): ()| Err::<(), _>("broken")));
    service.call(()).await.unwrap_err();
    advance(ms(1_000)).await;
    service.call(()).await.unwrap_err();
    let reading = meter.collect();
    assert_eq!(reading.gauges("{limiter=adaptive}"), [9, 100, 0, 0]);
    assert_eq!(reading.gauges("{limiter=fixed}"), [10, 10, 0, 0]);
    drop(fixed);
}

// F163
#[test]
fn what_is_in_flight_does_not_follow_the_limit() {
    let meter = Meter::new();
    let limiter = meter.on(|| Limiter::queued(4, 1));
    let held = [(); 4].map(|()| limiter.try_acquire().unwrap());
    let waiting = limiter.acquire();
    limiter.set_limit(1).unwrap();
    assert_eq!(meter.collect().gauges(""), [1, 1, 4, 1]);
    limiter.set_limit(100).unwrap();
    assert_eq!(meter.collect().gauges(""), [100, 100, 5, 0]);
    drop((held, waiting));
    assert_eq!(meter.collect().gauges(""), [100, 100, 0, 0]);
}

// F159
#[test]
fn a_storm_of_cancellations_on_many_threads_ends_at_zero() {
    let meter = Meter::new();
    let limiter = meter.on(|| Limiter::queued(2, 16));
    let arrived = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let work = Work::<()>::new();
                for round in 0..500 {
                    let mut calls: Vec<_> = (0..6)
                        .map(|_| Task::new(limiter.run(work.start())))
                        .collect();
                    arrived.fetch_add(calls.len(), Ordering::Relaxed);
                    for call in calls.iter_mut().take(round % 7) {
                        let _ = call.poll();
                    }
                }
            });
        }
    });
    let reading = meter.collect();
    assert_eq!(reading.gauges(""), [2, 2, 0, 0]);
    let answered = reading.counter("inflight_admitted_total")
        + reading.sum("inflight_rejected_total")
        + reading.counter("inflight_cancelled_total{phase=queued}");
    assert_eq!(answered, arrived.into_inner() as u64);
}

#[test]
fn limiters_of_one_name_are_summed_and_others_stand_apart() {
    let meter = Meter::new();
    let named = |max_concurrency, name: &str| {
        let builder = Limiter::builder()
            .max_concurrency(max_concurrency)
            .name(name);
        meter.on(|| builder.build()).unwrap()
    };
    let twins = [named(2, "twin"), named(3, "twin")];
    let single = named(7, "single");
    let nameless = meter.on(|| Limiter::queued(1, 1));
    let held = [&twins[0], &twins[1], &nameless].map(|limiter| limiter.try_acquire().unwrap());
    let waiting = nameless.acquire();

    let reading = meter.collect();
    assert_eq!(reading.gauges("{limiter=twin}"), [5, 5, 2, 0]);
    assert_eq!(reading.gauges("{limiter=single}"), [7, 7, 0, 0]);
    assert_eq!(reading.gauges(""), [1, 1, 1, 1]);
    drop((held, waiting));

    let [first, second] = twins;
    drop(first);
    assert_eq!(meter.collect().gauges("{limiter=twin}"), [3, 3, 0, 0]);
    drop((second, single));
}

#[test]
fn as_many_as_share_a_name_are_summed() {
    let meter = Meter::new();
    let built = || Limiter::builder().name("many").build().unwrap();
    let many: Vec<_> = (0..100).map(|_| meter.on(built)).collect();
    let reading = meter.collect();
    assert_eq!(reading.gauges("{limiter=many}"), [1_000, 1_000, 0, 0]);
    drop(many);
}

// K82
#[test]
fn a_limiter_that_is_gone_reads_zero_once_and_is_forgotten() {
    let _alone = alone();
    let recorder = GaugeSettings::default();
    let hook = Arc::new(());
    let builder = Limiter::builder().name("gone").on_rejected({
        let hook = Arc::clone(&hook);
        move |_| drop(Arc::clone(&hook))
    });
    let limiter = with_local_recorder(&recorder, || builder.build()).unwrap();
    publish();
    let set = || recorder.0.swap(0, Ordering::Relaxed);
    assert_eq!(set(), 4);

    drop(limiter);
    assert_eq!(Arc::strong_count(&hook), 1, "the registry keeps it alive");
    publish();
    assert_eq!(set(), 4);
    publish();
    assert_eq!(set(), 0);
}

#[test]
fn one_of_a_name_that_had_gone_is_there_again() {
    let meter = Meter::new();
    let built = || {
        meter
            .on(|| Limiter::builder().name("again").build())
            .unwrap()
    };
    drop(built());
    assert_eq!(meter.collect().gauges("{limiter=again}"), [0; 4]);
    let _again = built();
    assert_eq!(meter.collect().gauge("inflight_limit{limiter=again}"), 10);
}

#[test]
fn whoever_makes_and_drops_limiters_needs_no_publication_to_be_forgotten() {
    let _alone = alone();
    let recorder = GaugeSettings::default();
    let build = || with_local_recorder(&recorder, || Limiter::new(1));
    let ((), first) = inflight_test::count_allocations(|| (0..64).for_each(|_| drop(build())));
    let ((), later) = inflight_test::count_allocations(|| (0..640).for_each(|_| drop(build())));
    assert!(
        later.retained_bytes <= first.retained_bytes,
        "{later:?} after {first:?}"
    );
}

/// Counts how often any gauge was set.
#[derive(Default)]
struct GaugeSettings(Arc<AtomicUsize>);

struct CountedGauge(Arc<AtomicUsize>);

impl GaugeFn for CountedGauge {
    fn increment(&self, _: f64) {
        panic!("a gauge is set, never moved");
    }

    fn decrement(&self, _: f64) {
        panic!("a gauge is set, never moved");
    }

    fn set(&self, _: f64) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Recorder for GaugeSettings {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(Arc::new(CountedGauge(Arc::clone(&self.0))))
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}
