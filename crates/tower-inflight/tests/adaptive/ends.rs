//! The ways in which a call can end, and what the rule is told of each.

use std::convert::Infallible;
use std::future::{pending, poll_fn, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use http::{Request, Response};
use inflight_test::Task;
use tokio::time::{advance, sleep};
use tower::timeout::TimeoutLayer;
use tower::{BoxError, Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_http::catch_panic::CatchPanicLayer;
use tower_inflight::{AdaptiveLayer, Outcome};

use crate::house::{House, ms};
use crate::recorder::Recorder;

fn recorded(limit: usize) -> (Recorder, House) {
    let recorder = Recorder::new(limit);
    let house = House::new(&recorder.layer());
    (recorder, house)
}

#[track_caller]
fn expect_panic<T>(action: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(action)).is_err());
}

#[test]
fn a_response_is_a_success_and_an_error_an_overload() {
    let (recorder, mut house) = recorded(2);
    house.succeed();
    house.fail();
    assert_eq!(recorder.outcomes(), [Outcome::Success, Outcome::Overload]);
}

#[test]
fn a_rejection_is_no_sample() {
    let (recorder, mut house) = recorded(1);
    let _held = house.begin();
    house.expect_rejected();
    assert_eq!(recorder.samples(), []);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_leaves_its_occupancy_and_how_long_it_took() {
    let (recorder, mut house) = recorded(3);
    let mut calls = house.begin_all(3);
    advance(ms(7)).await;
    drop(calls.remove(1));
    let sample = recorder.only();
    assert_eq!(sample.outcome, Outcome::Ignore);
    assert_eq!(sample.in_flight, 3);
    assert_eq!(recorder.latencies(), [7]);
}

#[test]
fn a_call_that_is_dropped_before_its_first_poll_was_at_work() {
    let (recorder, mut house) = recorded(1);
    drop(house.service.call(1));
    assert_eq!(recorder.outcomes(), [Outcome::Ignore]);
}

#[test]
fn a_call_that_is_dropped_in_the_line_is_no_sample() {
    let recorder = Recorder::new(1);
    let layer = AdaptiveLayer::builder(recorder.clone()).queue_limit(1);
    let mut house = House::new(&layer.build().unwrap());
    let _held = house.begin();
    let mut waiting = Task::new(house.service.call(1));
    waiting.expect_pending();
    drop(waiting);
    assert_eq!(recorder.samples(), []);
}

#[test]
fn a_panic_in_call_is_an_overload() {
    let (recorder, mut house) = recorded(1);
    house.script.work().panic_at_start(0);
    assert!(ready_now(&mut house));
    expect_panic(|| house.service.call(1));
    assert_eq!(recorder.outcomes(), [Outcome::Overload]);
    assert_eq!(house.load(), (0, 0));
}

#[test]
fn a_panic_in_poll_is_an_overload_at_once() {
    let (recorder, mut house) = recorded(1);
    house.script.work().panic_at_poll(0, 2);
    let mut call = house.begin();
    expect_panic(|| call.poll());
    assert_eq!(recorder.outcomes(), [Outcome::Overload]);
    assert_eq!(house.load(), (0, 0));
    drop(call);
    assert_eq!(recorder.outcomes(), [Outcome::Overload], "and only once");
}

#[test]
fn a_service_that_panics_or_fails_when_it_is_made_ready_is_an_overload() {
    let (recorder, mut house) = recorded(1);
    house.script.panic_in_readiness();
    let mut call = Task::new(house.service.call(1));
    expect_panic(|| call.poll());
    house.script.fail_readiness("gone");
    let error = Task::new(house.service.call(1)).expect_ready().unwrap_err();
    assert_eq!(error.into_service().unwrap(), "gone");
    assert_eq!(recorder.outcomes(), [Outcome::Overload, Outcome::Overload]);
    assert_eq!(house.load(), (0, 0));
}

/// A readiness that fails in `poll_ready` is nobody's call yet.
#[test]
fn a_readiness_that_fails_before_the_call_is_no_sample() {
    let (recorder, mut house) = recorded(1);
    house.script.fail_readiness("gone");
    assert!(!ready_now(&mut house));
    assert_eq!(recorder.samples(), []);
}

#[tokio::test]
async fn a_panic_that_a_runtime_catches_is_an_overload() {
    let recorder = Recorder::new(1);
    let service = service_fn(|_: u32| async {
        tokio::task::yield_now().await;
        panic!("as told");
        #[expect(unreachable_code, reason = "the type of the result is needed")]
        Ok::<u32, Infallible>(1)
    });
    let mut service = recorder.layer().layer(service);
    let call = tokio::spawn(service.call(1));
    assert!(call.await.unwrap_err().is_panic());
    assert_eq!(recorder.outcomes(), [Outcome::Overload]);
    assert_eq!(service.limiter().snapshot().in_flight, 0);
}

#[tokio::test]
async fn a_panic_that_a_layer_catches_is_an_overload() {
    let recorder = Recorder::new(1);
    let panicking = service_fn(|_: Request<()>| async {
        panic!("as told");
        #[expect(unreachable_code, reason = "the type of the result is needed")]
        Ok::<_, Infallible>(Response::new(String::new()))
    });
    let service = ServiceBuilder::new()
        .layer(CatchPanicLayer::new())
        .map_err(|error: tower_inflight::Error<Infallible>| BoxError::from(error))
        .layer(recorder.layer())
        .service(panicking);
    let response = service.oneshot(Request::new(())).await.unwrap();
    assert_eq!(response.status(), 500);
    assert_eq!(recorder.outcomes(), [Outcome::Overload]);
}

#[tokio::test]
async fn a_caller_who_panics_itself_has_dropped_the_call() {
    let recorder = Recorder::new(1);
    let service = service_fn(|_: u32| pending::<Result<u32, Infallible>>());
    let mut service = recorder.layer().layer(service);
    let mut call = Task::new(service.call(1));
    call.expect_pending();
    let caller = tokio::spawn(poll_fn(move |_| -> Poll<()> {
        let _held = &mut call;
        panic!("the caller's own");
    }));
    assert!(caller.await.unwrap_err().is_panic());
    assert_eq!(recorder.outcomes(), [Outcome::Ignore]);
}

#[tokio::test(start_paused = true)]
async fn a_success_counts_although_the_callers_timer_has_fired() {
    let recorder = Recorder::new(1);
    let service = service_fn(|_: u32| async {
        sleep(ms(100)).await;
        Ok::<_, BoxError>(1)
    });
    let service = recorder.layer().layer(service);
    let service = TimeoutLayer::new(ms(100)).layer(service);
    assert_eq!(service.oneshot(1).await.unwrap(), 1);
    assert_eq!(recorder.outcomes(), [Outcome::Success]);
}

// F137
#[test]
fn a_classifier_decides_what_an_overload_is() {
    let recorder = Recorder::new(1);
    let layer =
        recorder
            .layer()
            .with_classify(
                |result: &Result<Response<&'static str>, Infallible>| match result {
                    Ok(response) if response.status().is_server_error() => Outcome::Overload,
                    Ok(response) if response.status() == 499 => Outcome::Ignore,
                    Ok(_) => Outcome::Success,
                    Err(never) => match *never {},
                },
            );
    let mut service = layer.layer(service_fn(|status: u16| {
        let response = Response::builder().status(status).body("error: none left");
        ready(Ok::<_, Infallible>(response.unwrap()))
    }));
    for status in [200, 400, 503, 499] {
        let response = Task::new(service.call(status)).expect_ready().unwrap();
        assert_eq!(response.status(), status, "it is passed on as it is");
    }
    let (good, bad, none) = (Outcome::Success, Outcome::Overload, Outcome::Ignore);
    assert_eq!(recorder.outcomes(), [good, good, bad, none]);
}

#[test]
fn a_classifier_that_panics_loses_nothing() {
    let recorder = Recorder::new(1);
    let layer = recorder
        .layer()
        .with_classify(|_: &Result<u32, Infallible>| -> Outcome { panic!("no idea") });
    let mut service = layer.layer(service_fn(|_: u32| ready(Ok::<_, Infallible>(1))));
    let mut call = Task::new(service.call(1));
    expect_panic(|| call.poll());
    assert_eq!(recorder.outcomes(), [Outcome::Ignore]);
    assert_eq!(service.limiter().snapshot().in_flight, 0);
}

fn ready_now(house: &mut House) -> bool {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    matches!(house.service.poll_ready(&mut cx), Poll::Ready(Ok(())))
}
