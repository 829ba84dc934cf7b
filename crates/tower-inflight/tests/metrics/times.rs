use std::io;

use inflight_test::{Script, Task};
use tokio::time::advance;
use tower::{Layer, Service, ServiceBuilder, service_fn};
use tower_inflight::{AdaptiveAimdLayer, ConcurrencyLimitLayer, Error, Limiter, Outcome, Ticket};

use crate::meter::{Meter, ms};

async fn work_for(millis: u64) -> Result<u64, io::Error> {
    tokio::time::sleep(ms(millis)).await;
    Ok(millis)
}

#[tokio::test(start_paused = true)]
async fn the_wait_and_the_work_are_told_apart() {
    let meter = Meter::new();
    let layer = meter.on(|| ConcurrencyLimitLayer::queued(1, 2));
    let mut service = ServiceBuilder::new()
        .layer(layer)
        .service(service_fn(work_for));
    let calls = [100, 200, 400].map(|millis| service.call(millis));
    for call in calls.map(tokio::spawn) {
        call.await.unwrap().unwrap();
    }
    let reading = meter.peek();
    assert_eq!(reading.seconds("inflight_queue_wait_seconds"), [0.1, 0.3]);
    let service = reading.seconds("inflight_service_seconds{outcome=success}");
    assert_eq!(service, [0.1, 0.2, 0.4]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_counts_however_it_ends_and_only_if_there_was_one() {
    let meter = Meter::new();
    let limiter = meter.on(|| Limiter::queued(1, 3));
    let held = limiter.try_acquire().unwrap();
    let mut granted = Task::new(limiter.acquire());
    let mut late = Task::new(limiter.acquire_with(Ticket::new().with_max_wait(ms(200))));
    let gone = limiter.acquire();
    Task::new(limiter.acquire()).expect_ready().unwrap_err(); // the line is full
    advance(ms(100)).await;
    drop(gone);
    advance(ms(100)).await;
    late.expect_ready().unwrap_err();
    advance(ms(100)).await;
    drop(held);
    let _permit = granted.expect_ready().unwrap();
    let waits = meter.peek().seconds("inflight_queue_wait_seconds");
    assert_eq!(waits, [0.1, 0.2, 0.3]);
}

#[tokio::test(start_paused = true)]
async fn the_outcome_under_a_fixed_limit_is_the_result() {
    let meter = Meter::new();
    let script = Script::new();
    let layer = meter.on(|| ConcurrencyLimitLayer::new(4));
    let mut service = layer.layer(script.service());
    let mut calls = [1, 2, 3].map(|request: u32| Task::new(service.call(request)));
    for call in &mut calls {
        call.expect_pending();
    }
    advance(ms(50)).await;
    script.work().finish(0, Ok("fine"));
    script.work().finish(1, Err("broken"));
    let [fine, broken, gone] = &mut calls;
    fine.expect_ready().unwrap();
    assert!(matches!(
        broken.expect_ready(),
        Err(Error::Service("broken"))
    ));
    script.work().panic(2);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gone.poll()));
    panicked.unwrap_err();
    let reading = meter.peek();
    let of = |outcome| reading.seconds(&format!("inflight_service_seconds{{outcome={outcome}}}"));
    assert_eq!(of("success"), [0.05]);
    assert_eq!(of("overload"), [0.05, 0.05]);
    assert_eq!(of("ignore"), [0.0; 0]);
    assert_eq!(reading.sum("inflight_cancelled_total"), 0);
}

#[tokio::test(start_paused = true)]
async fn the_outcome_under_an_adaptive_limit_is_what_the_classifier_says() {
    let meter = Meter::new();
    let builder =
        AdaptiveAimdLayer::builder().classify(|result: &Result<u64, io::Error>| match result {
            Ok(100) => Outcome::Success,
            Ok(200) => Outcome::Ignore,
            _ => Outcome::Overload,
        });
    let layer = meter.on(|| builder.build()).unwrap();
    let mut service = layer.layer(service_fn(work_for));
    for millis in [100, 200, 400] {
        service.call(millis).await.unwrap();
    }
    let mut gone = Task::new(service.call(800));
    gone.expect_pending();
    drop(gone);
    let reading = meter.peek();
    let of = |outcome| reading.seconds(&format!("inflight_service_seconds{{outcome={outcome}}}"));
    assert_eq!(of("success"), [0.1]);
    assert_eq!(of("ignore"), [0.2]);
    assert_eq!(of("overload"), [0.4]);
    assert_eq!(
        reading.counter("inflight_cancelled_total{phase=running}"),
        1
    );
}

#[tokio::test(start_paused = true)]
async fn a_permit_by_hand_is_timed_if_it_is_measured() {
    let meter = Meter::new();
    let limiter = meter.on(|| Limiter::new(4));
    let plain = limiter.try_acquire().unwrap();
    let [finished, dropped] = [(); 2].map(|()| limiter.try_acquire().unwrap().measured());
    advance(ms(70)).await;
    drop(plain);
    finished.finish(Outcome::Success);
    drop(dropped);
    limiter.run(tokio::time::sleep(ms(90))).await.unwrap();
    let reading = meter.peek();
    let service = reading.seconds("inflight_service_seconds{outcome=success}");
    assert_eq!(service, [0.07, 0.09]);
    assert_eq!(
        reading.counted(),
        [
            ("inflight_admitted_total", 4),
            ("inflight_cancelled_total{phase=running}", 1),
        ]
    );
}
