//! What a sample says, and when it is taken.

use std::sync::{Arc, Mutex};

use inflight_test::{Script, Task};
use tokio::time::{Instant, advance};
use tower::{Layer, Service};
use tower_inflight::algorithm::{Algorithm, Limit, Sample};
use tower_inflight::{AdaptiveLayer, KeyedLimitLayer, Limiter, Outcome};

use crate::house::{House, ms};
use crate::recorder::{Recorder, limit_of};

#[tokio::test(start_paused = true)]
async fn a_latency_is_that_of_the_work_the_wait_excluded() {
    let recorder = Recorder::new(1);
    let layer = AdaptiveLayer::builder(recorder.clone()).queue_limit(1);
    let mut house = House::new(&layer.build().unwrap());
    let mut running = house.begin();
    let mut waiting = Task::new(house.service.call(1));
    waiting.expect_pending();
    advance(ms(100)).await;
    house.end(0, &mut running, Ok(1));

    // It was granted, but the poll that takes the admission is yet to come.
    advance(ms(30)).await;
    waiting.expect_pending();
    advance(ms(5)).await;
    house.end(1, &mut waiting, Ok(1));
    assert_eq!(recorder.latencies(), [100, 5]);
}

#[tokio::test(start_paused = true)]
async fn a_latency_begins_before_the_service_is_made_ready() {
    let recorder = Recorder::new(1);
    let mut house = House::new(&recorder.layer());
    house.script.set_ready_at_once(0);
    let mut call = Task::new(house.service.call(1));
    call.expect_pending();
    advance(ms(8)).await;
    house.script.set_ready_at_once(1);
    call.expect_pending();
    advance(ms(2)).await;
    house.end(0, &mut call, Ok(1));
    assert_eq!(recorder.latencies(), [10]);
}

#[tokio::test(start_paused = true)]
async fn a_latency_begins_with_the_call_not_with_its_first_poll() {
    let recorder = Recorder::new(1);
    let mut house = House::new(&recorder.layer());
    let call = house.service.call(1);
    advance(ms(9)).await;
    house.script.work().finish(0, Ok(1));
    Task::new(call).expect_ready().unwrap();
    assert_eq!(recorder.latencies(), [9]);
}

#[tokio::test(start_paused = true)]
async fn a_sample_is_stamped_with_its_end() {
    let built = Instant::now();
    let recorder = Recorder::new(1);
    let mut house = House::new(&recorder.layer());
    advance(ms(400)).await;
    let mut call = house.begin();
    advance(ms(50)).await;
    house.end(0, &mut call, Ok(1));
    let sample = recorder.only();
    assert_eq!(u128::from(sample.now), built.elapsed().as_nanos());
    assert_eq!(sample.now, 450_000_000);
}

#[test]
fn what_is_in_flight_counts_the_call_itself_in_units_of_weight() {
    let recorder = Recorder::new(10);
    let layer = recorder.layer().with_weight(|request: &u32| *request);
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = layer.layer(script.service());
    let heavy = service.call(5);
    let light = service.call(2);
    let _by_hand = layer.limiter().try_acquire().unwrap();
    drop(light);
    drop(heavy);
    let in_flight: Vec<_> = recorder.samples().iter().map(|s| s.in_flight).collect();
    assert_eq!(in_flight, [8, 6]);
}

#[test]
fn what_is_in_flight_under_a_total_counts_all_keys() {
    let recorder = Recorder::new(10);
    let layer = KeyedLimitLayer::builder(|request: &u32| *request)
        .adaptive(recorder.clone())
        .build()
        .unwrap();
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = layer.layer(script.service());
    let first = service.call(1);
    let second = service.call(2);
    let _by_hand = layer.limiter().try_acquire(3).unwrap();
    drop(first);
    drop(second);
    let in_flight: Vec<_> = recorder.samples().iter().map(|s| s.in_flight).collect();
    assert_eq!(in_flight, [3, 2]);
}

#[test]
fn what_is_exempt_from_a_total_is_no_sample() {
    let recorder = Recorder::new(1);
    let layer = KeyedLimitLayer::builder(|request: &u32| *request)
        .exempt(|request: &u32| *request == 0)
        .adaptive(recorder.clone())
        .build()
        .unwrap();
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = layer.layer(script.service());
    drop(service.call(0));
    assert!(recorder.samples().is_empty());
    drop(service.call(1));
    assert_eq!(recorder.only().outcome, Outcome::Ignore);
}

/// Looks at its limiter whenever it is told of a call.
struct Onlooker {
    limiter: Arc<Mutex<Option<Limiter>>>,
    seen: Arc<Mutex<Vec<usize>>>,
}

impl Algorithm for Onlooker {
    fn limit(&self) -> Limit {
        limit_of(2)
    }

    fn observe(&mut self, _: &Sample) -> Limit {
        let limiter = self.limiter.lock().unwrap();
        let in_flight = limiter.as_ref().unwrap().snapshot().in_flight;
        self.seen.lock().unwrap().push(in_flight);
        self.limit()
    }
}

#[test]
fn work_is_destroyed_then_measured_and_then_its_permit_goes_back() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let limiter = Arc::new(Mutex::new(None));
    let mut house = House::new(&AdaptiveLayer::new(Onlooker {
        limiter: Arc::clone(&limiter),
        seen: Arc::clone(&seen),
    }));
    *limiter.lock().unwrap() = Some(house.limiter.clone());
    house.script.work().on_drop(0, {
        let seen = Arc::clone(&seen);
        move || seen.lock().unwrap().push(0)
    });
    house.succeed();
    assert_eq!(*seen.lock().unwrap(), [0, 1]);
    assert_eq!(house.load(), (0, 0));
    limiter.lock().unwrap().take();
}

#[tokio::test(start_paused = true)]
async fn a_drop_raises_the_peak_of_an_open_window() {
    let mut house = House::halving(4);
    house.succeed();
    drop(house.begin_all(2));
    advance(ms(1_000)).await;
    house.succeed();
    assert_eq!(house.limit(), 5, "two of four were in use");
    let window = house.limiter.adaptation().unwrap().last_window().unwrap();
    assert_eq!((window.successes, window.peak), (2, 2));
}

#[test]
fn by_default_every_call_ends_in_one_sample() {
    let recorder = Recorder::new(3);
    let mut house = House::new(&recorder.layer());
    house.succeed();
    drop(house.begin());
    house.fail();
    let (good, none, bad) = (Outcome::Success, Outcome::Ignore, Outcome::Overload);
    assert_eq!(recorder.outcomes(), [good, none, bad]);
}
