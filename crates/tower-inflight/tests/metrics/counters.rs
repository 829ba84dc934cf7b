use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use inflight_test::{Script, Task};
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::{
    ConcurrencyLimitLayer, KeyedLimiter, Limiter, PriorityQueueLayer, Reason, Ticket,
};

use crate::meter::{Meter, alone};

// K74
#[test]
fn a_call_and_a_rejection_are_counted_once_each_under_the_name() {
    let meter = Meter::new();
    let builder = Limiter::builder().max_concurrency(1).name("search");
    let limiter = meter.on(|| builder.build()).unwrap();
    let held = limiter.try_acquire().unwrap();
    assert_eq!(
        limiter.try_acquire().unwrap_err().reason(),
        Reason::LimitReached
    );
    drop(held);
    assert_eq!(
        meter.peek().counted(),
        [
            ("inflight_admitted_total{limiter=search}", 1),
            (
                "inflight_rejected_total{limiter=search,reason=limit_reached}",
                1
            ),
        ]
    );
}

// K49
#[test]
fn an_eviction_is_a_rejection_with_its_reason_and_no_priority() {
    let meter = Meter::new();
    let script = Script::<i32, i32, Infallible>::new();
    let layer = meter.on(|| PriorityQueueLayer::new(1, 1, |priority: &i32| *priority));
    let mut service = layer.layer(script.service());
    let _running = service.call(0);
    let mut low = Task::new(service.call(-10));
    let _high = service.call(10);
    let error = low.expect_ready().unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::QueueEvicted);

    let reading = meter.peek();
    assert_eq!(
        reading.counted(),
        [
            ("inflight_admitted_total", 1),
            ("inflight_rejected_total{reason=queue_evicted}", 1),
        ]
    );
    assert!(reading.series().all(|series| !series.contains("priority")));
}

// K71
#[test]
fn a_rejection_is_counted_when_its_hook_hears_of_it() {
    let meter = Arc::new(Rejections::default());
    let seen = Arc::new(AtomicU64::new(0));
    let builder = Limiter::builder().max_concurrency(1).on_rejected({
        let (meter, seen) = (Arc::clone(&meter), Arc::clone(&seen));
        move |_| seen.store(meter.0.load(Ordering::Relaxed), Ordering::Relaxed)
    });
    let _alone = alone();
    let limiter = metrics::with_local_recorder(&*meter, || builder.build()).unwrap();
    let _held = limiter.try_acquire().unwrap();
    limiter.try_acquire().unwrap_err();
    assert_eq!(seen.load(Ordering::Relaxed), 1);
}

#[test]
fn every_way_to_be_turned_away_has_its_reason() {
    let meter = Meter::new();
    let builder = Limiter::builder().max_concurrency(2).queue_limit(1);
    let limiter = meter
        .on(|| builder.use_priority_queue(true).build())
        .unwrap();
    let _held = limiter
        .try_acquire_with(Ticket::new().with_weight(2))
        .unwrap();
    limiter.try_acquire().unwrap_err();
    limiter
        .try_acquire_with(Ticket::new().with_weight(3))
        .unwrap_err();
    let zero = Ticket::new().with_max_wait(std::time::Duration::ZERO);
    Task::new(limiter.acquire_with(zero))
        .expect_ready()
        .unwrap_err();
    let mut evicted = Task::new(limiter.acquire());
    evicted.expect_pending();
    let mut waiting = Task::new(limiter.acquire_with(Ticket::new().with_priority(1)));
    evicted.expect_ready().unwrap_err();
    Task::new(limiter.acquire()).expect_ready().unwrap_err();
    limiter.close();
    waiting.expect_ready().unwrap_err();
    limiter.acquire_blocking().unwrap_err();
    let reading = meter.peek();
    for (reason, count) in [
        (Reason::LimitReached, 1),
        (Reason::TooHeavy, 1),
        (Reason::QueueTimeout, 1),
        (Reason::QueueEvicted, 1),
        (Reason::QueueFull, 1),
        (Reason::Closed, 2),
    ] {
        let series = format!("inflight_rejected_total{{reason={reason}}}");
        assert_eq!(reading.counter(&series), count, "{reason}");
    }
    assert_eq!(reading.counter("inflight_admitted_total"), 1);
    assert_eq!(reading.sum("inflight_cancelled_total"), 0);
}

#[test]
fn a_limiter_with_keys_has_its_own_reasons_and_no_key_for_a_label() {
    let meter = Meter::new();
    let builder = KeyedLimiter::builder()
        .max_concurrency(2)
        .key_max_concurrency(1);
    let limiter = meter
        .on(|| builder.name("tenants").build_limiter())
        .unwrap();
    let _held = ["a", "b"].map(|key| limiter.try_acquire(key).unwrap());
    limiter.try_acquire("a").unwrap_err();
    limiter.try_acquire("c").unwrap_err();
    let reading = meter.collect();
    assert_eq!(
        reading.counted(),
        [
            ("inflight_admitted_total{limiter=tenants}", 2),
            (
                "inflight_rejected_total{limiter=tenants,reason=key_limit}",
                1
            ),
            (
                "inflight_rejected_total{limiter=tenants,reason=total_limit}",
                1
            ),
        ]
    );
    assert_eq!(reading.gauges("{limiter=tenants}"), [2, 2, 2, 0]);
}

#[test]
fn a_caller_who_goes_away_is_counted_where_it_stood() {
    let meter = Meter::new();
    let script = Script::<u32, u32, Infallible>::new();
    let layer = meter.on(|| ConcurrencyLimitLayer::queued(1, 8));
    let mut service = layer.layer(script.service());
    let running = service.call(1);
    drop(service.call(2)); // never polled
    let mut polled = Task::new(service.call(3));
    polled.expect_pending();
    drop(polled);
    let granted = service.call(4);
    drop(running);
    drop(granted); // granted, and never polled since
    assert_eq!(
        meter.peek().counted(),
        [
            ("inflight_admitted_total", 1),
            ("inflight_cancelled_total{phase=queued}", 3),
            ("inflight_cancelled_total{phase=running}", 1),
        ]
    );
}

#[test]
fn a_call_that_is_made_ready_when_its_caller_goes_is_running() {
    let meter = Meter::new();
    let script = Script::<u32, u32, Infallible>::new();
    script.set_ready_at_once(0);
    let layer = meter.on(|| ConcurrencyLimitLayer::new(1));
    let mut call = Task::new(layer.layer(script.service()).call(1));
    call.expect_pending();
    drop(call);
    assert_eq!(
        meter
            .peek()
            .counter("inflight_cancelled_total{phase=running}"),
        1
    );
}

#[test]
fn an_answer_that_nobody_fetched_is_a_cancellation() {
    let meter = Meter::new();
    let limiter = meter.on(|| Limiter::queued(1, 1));
    let _held = limiter.try_acquire().unwrap();
    let told_nothing = limiter.acquire();
    limiter.close();
    drop(told_nothing);
    let reading = meter.peek();
    assert_eq!(reading.counter("inflight_cancelled_total{phase=queued}"), 1);
    assert_eq!(reading.sum("inflight_rejected_total"), 0);
}

#[test]
fn what_ran_to_its_end_is_not_cancelled_when_it_is_dropped() {
    let meter = Meter::new();
    let service = service_fn(async |request: u32| Ok::<_, Infallible>(request));
    let layer = meter.on(|| ConcurrencyLimitLayer::queued(1, 1));
    let mut call = Task::new(layer.layer(service).oneshot(7));
    assert_eq!(call.expect_ready().unwrap(), 7);
    drop(call);
    let mut run = Task::new(layer.limiter().run(async { 7 }));
    assert_eq!(run.expect_ready().unwrap(), 7);
    drop(run);
    assert_eq!(meter.peek().counted(), [("inflight_admitted_total", 2)]);
}

#[test]
fn what_is_exempt_is_counted_apart() {
    let meter = Meter::new();
    let service = service_fn(async |request: u32| Ok::<_, Infallible>(request));
    let layer = meter.on(|| ConcurrencyLimitLayer::new(1));
    let layer = layer.with_exempt(|request: &u32| *request == 0);
    let _held = layer.limiter().try_acquire().unwrap();
    let mut exempt = Task::new(layer.layer(service).oneshot(0));
    assert_eq!(exempt.expect_ready().unwrap(), 0);
    let reading = meter.peek();
    assert_eq!(
        reading.counted(),
        [("inflight_admitted_total", 1), ("inflight_exempt_total", 1)]
    );
    assert!(
        reading
            .seconds("inflight_service_seconds{outcome=success}")
            .is_empty()
    );
}

#[test]
fn a_hook_that_fails_is_counted_beside_the_rejection() {
    let meter = Meter::new();
    let builder = Limiter::builder().max_concurrency(1);
    let builder = builder.on_rejected(|_| panic!("the hook of a test"));
    let limiter = meter.on(|| builder.build()).unwrap();
    let _held = limiter.try_acquire().unwrap();
    limiter.try_acquire().unwrap_err();
    let reading = meter.peek();
    assert_eq!(reading.counter("inflight_hook_failures_total"), 1);
    assert_eq!(reading.sum("inflight_rejected_total"), 1);
    assert_eq!(limiter.hook_failures(), 1);
}

#[test]
fn a_thread_that_waits_is_counted_as_anybody_else() {
    let meter = Meter::new();
    let limiter = meter.on(|| Limiter::queued(1, 1));
    let held = limiter.try_acquire().unwrap();
    let (done, waits) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| done.send(limiter.acquire_blocking().is_ok()));
        while limiter.snapshot().queued == 0 {
            thread::yield_now();
        }
        drop(held);
        assert!(waits.recv().unwrap());
    });
    let reading = meter.peek();
    assert_eq!(reading.counted(), [("inflight_admitted_total", 2)]);
    assert_eq!(reading.seconds("inflight_queue_wait_seconds").len(), 1);
}

#[test]
fn one_that_was_built_before_the_recorder_is_not_seen() {
    let limiter = Limiter::builder().name("early").build().unwrap();
    let meter = Meter::new();
    let _held = limiter.try_acquire().unwrap();
    assert_eq!(meter.on(|| meter.collect()).series().count(), 0);
}

/// Counts the rejections, whatever their reason, where everybody can look.
#[derive(Default)]
struct Rejections(Arc<AtomicU64>);

impl Recorder for Rejections {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        if key.name() == "inflight_rejected_total" {
            Counter::from_arc(Arc::clone(&self.0))
        } else {
            Counter::noop()
        }
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}
