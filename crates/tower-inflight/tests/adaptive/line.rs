//! An adaptive limit with a line, which grows and shrinks under it.

use inflight_test::{Script, ScriptedService, Task};
use tokio::time::{Instant, advance};
use tower::{Layer, Service};
use tower_inflight::{AdaptiveAimdLayer, AimdOptions, Error, Reason};

use crate::house::{Call, House, SECOND, ms};

fn lined(initial_limit: usize, queue_limit: usize) -> House {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(initial_limit)
        .decrease_factor(0.5)
        .queue_limit(queue_limit)
        .build()
        .unwrap();
    House::aimd(&layer)
}

#[track_caller]
fn queue(house: &mut House) -> Call {
    let mut call = Task::new(house.service.call(0));
    call.expect_pending();
    call
}

#[tokio::test(start_paused = true)]
async fn growth_wakes_who_now_fits_at_once() {
    let mut house = lined(2, 3);
    let mut running = house.begin_all(2);
    let mut waiting: Vec<_> = (0..3).map(|_| queue(&mut house)).collect();
    house.end(0, &mut running[0], Ok(1));
    assert!(waiting[0].is_woken());
    waiting[0].expect_pending();
    assert_eq!(house.load(), (2, 2));

    advance(SECOND).await;
    house.end(1, &mut running[1], Ok(1));
    assert_eq!(house.limit(), 3);
    assert!(waiting[1].is_woken(), "by the growth");
    assert!(waiting[2].is_woken(), "by the permit that went back");
    assert_eq!(house.load(), (3, 0));
}

#[tokio::test(start_paused = true)]
async fn what_shrinks_drains_and_who_waits_keeps_its_place() {
    let mut house = lined(4, 2);
    let mut running = house.begin_all(4);
    let mut first = queue(&mut house);
    let second = queue(&mut house);
    house.end(0, &mut running[0], Err("failed"));
    first.expect_pending();
    advance(SECOND).await;

    house.end(1, &mut running[1], Err("failed"));
    assert_eq!((house.limit(), house.load()), (2, (3, 1)));
    house.end(2, &mut running[2], Ok(1));
    assert_eq!(house.load(), (2, 1));
    assert!(!second.is_woken());
    house.end(3, &mut running[3], Ok(1));
    assert!(second.is_woken());
    assert_eq!(house.load(), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn a_guarded_rule_that_takes_cuts_back_lets_many_in() {
    let options = AimdOptions {
        initial_limit: 40,
        decrease_factor: 0.5,
        relearn_after_cut: Some(0.6),
        ..AimdOptions::default()
    };
    let layer = AdaptiveAimdLayer::builder()
        .options(options)
        .queue_limit(40);
    let mut house = House::aimd(&layer.build().unwrap());
    let slow = async |house: &mut House, millis| {
        let job = house.started();
        let mut call = house.begin();
        advance(ms(millis)).await;
        house.end(job, &mut call, Ok(1));
        house.limit()
    };
    let limits = [
        slow(&mut house, 1).await,
        slow(&mut house, 1_000).await,
        slow(&mut house, 5_000).await,
    ];
    assert_eq!(limits, [40, 40, 20], "the baseline, then a cut");

    let job = house.started();
    let mut held = house.begin_all(20);
    let waiting: Vec<_> = (0..20).map(|_| queue(&mut house)).collect();
    advance(ms(5_000)).await;
    house.end(job, &mut held[0], Ok(1));
    assert_eq!(house.limit(), 40, "cutting did not help");
    assert!(waiting.iter().all(Task::is_woken));
    assert_eq!(house.load(), (39, 0));
}

#[tokio::test(start_paused = true)]
async fn a_line_by_priority_serves_the_urgent_first_and_evicts() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(1)
        .queue_limit(2)
        .priority(|request: &i32| *request)
        .build()
        .unwrap();
    let script: Script<i32, u32, &str> = Script::new();
    let mut service = layer.layer(script.service());
    let mut running = Task::new(service.call(0));
    running.expect_pending();
    let mut low = Task::new(service.call(-5));
    let mut mid = Task::new(service.call(1));
    low.expect_pending();
    mid.expect_pending();
    let mut high = Task::new(service.call(9));
    high.expect_pending();
    assert_eq!(reason(low.expect_ready()), Reason::QueueEvicted);
    assert_eq!(
        layer.limiter().queued_by_priority(),
        [(1, 1), (9, 1)].into()
    );

    script.work().finish(0, Ok(1));
    running.expect_ready().unwrap();
    assert!(high.is_woken() && !mid.is_woken());
}

#[tokio::test(start_paused = true)]
async fn a_wait_is_bounded_and_leaves_no_sample() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(1)
        .queue_limit(1)
        .queue_timeout(ms(250))
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    let _running = house.begin();
    let start = Instant::now();
    let waited = house.service.call(1).await;
    assert_eq!(reason(waited), Reason::QueueTimeout);
    assert_eq!(start.elapsed(), ms(250));
    assert_eq!(house.limiter.adaptation().unwrap().last, None);
}

#[tokio::test(start_paused = true)]
async fn what_is_heavier_than_the_limit_but_not_than_the_maximum_runs_alone() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(2)
        .max_limit(8)
        .queue_limit(4)
        .weight(|request: &u32| *request)
        .build()
        .unwrap();
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = layer.layer(script.service());
    let light = service.call(1);
    let mut heavy = Task::new(service.call(8));
    heavy.expect_pending();
    let mut behind = Task::new(service.call(1));
    behind.expect_pending();
    assert_eq!(
        reason(Task::new(service.call(9)).expect_ready()),
        Reason::TooHeavy
    );

    drop(light);
    assert!(heavy.is_woken() && !behind.is_woken());
    assert_eq!(layer.limiter().snapshot().in_flight, 8);
    drop(heavy);
    assert!(behind.is_woken());
}

/// A waiting call keeps its classifier until it is admitted.
#[tokio::test(start_paused = true)]
async fn a_call_that_waited_is_classified_as_any_other() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(2)
        .queue_limit(1)
        .classify(|_: &Result<u32, &'static str>| tower_inflight::Outcome::Overload)
        .build()
        .unwrap();
    let script: Script<u32, u32, &'static str> = Script::new();
    let inner: ScriptedService<u32, u32, &'static str> = script.service();
    let mut service = layer.layer(inner);
    let held = [service.call(1), service.call(1)];
    let mut waiting = Task::new(service.call(1));
    waiting.expect_pending();
    drop(held);
    script.work().finish(0, Ok(1));
    waiting.expect_ready().unwrap();
    advance(SECOND).await;
    script.work().finish(1, Ok(1));
    Task::new(service.call(1)).expect_ready().unwrap();
    assert_eq!(layer.limiter().snapshot().limit, 1);
}

#[track_caller]
fn reason<E: std::fmt::Debug>(result: Result<u32, Error<E>>) -> Reason {
    result.unwrap_err().rejection().unwrap().reason()
}
