//! As a user would test a stack: with the mocks of `tower-test`.

use tokio_test::{assert_pending, assert_ready_err, assert_ready_ok};
use tower_inflight::{ConcurrencyLimitLayer, Error, PriorityQueueLayer, Reason};
use tower_test::{assert_request_eq, mock};

#[tokio::test]
async fn a_call_is_passed_on_and_answered() {
    let (mut service, mut handle) =
        mock::spawn_layer::<&str, &str, _>(ConcurrencyLimitLayer::new(1));
    assert_ready_ok!(service.poll_ready());
    let mut call = tokio_test::task::spawn(service.call("ping"));
    assert_request_eq!(handle, "ping").send_response("pong");
    assert_eq!(assert_ready_ok!(call.poll()), "pong");
}

#[tokio::test]
async fn readiness_is_that_of_the_mock() {
    let (mut service, mut handle) =
        mock::spawn_layer::<&str, &str, _>(ConcurrencyLimitLayer::new(1));
    handle.allow(0);
    assert_pending!(service.poll_ready());
    handle.allow(1);
    assert!(service.is_woken());
    assert_ready_ok!(service.poll_ready());
}

#[tokio::test]
async fn the_second_of_two_waits_for_the_first() {
    let (mut service, mut handle) =
        mock::spawn_layer::<&str, &str, _>(ConcurrencyLimitLayer::queued(1, 1));
    assert_ready_ok!(service.poll_ready());
    let mut first = tokio_test::task::spawn(service.call("first"));
    assert_ready_ok!(service.poll_ready());
    let mut second = tokio_test::task::spawn(service.call("second"));
    assert_ready_ok!(service.poll_ready());
    let mut third = tokio_test::task::spawn(service.call("third"));

    let error = assert_ready_err!(third.poll());
    assert_eq!(error.rejection().unwrap().reason(), Reason::QueueFull);
    assert_pending!(second.poll());
    assert_request_eq!(handle, "first").send_response("one");
    assert_eq!(assert_ready_ok!(first.poll()), "one");

    assert!(second.is_woken());
    assert_pending!(second.poll());
    assert_request_eq!(handle, "second").send_response("two");
    assert_eq!(assert_ready_ok!(second.poll()), "two");
}

#[tokio::test]
async fn an_error_of_the_mock_is_the_services_own() {
    let (mut service, mut handle) =
        mock::spawn_layer::<&str, &str, _>(ConcurrencyLimitLayer::new(1));
    assert_ready_ok!(service.poll_ready());
    let mut call = tokio_test::task::spawn(service.call("ping"));
    assert_request_eq!(handle, "ping").send_error("broken");
    let error = assert_ready_err!(call.poll());
    assert!(matches!(&error, Error::Service(error) if error.to_string() == "broken"));
    assert_eq!(error.to_string(), "broken");
}

#[tokio::test]
async fn the_urgent_one_goes_first() {
    let layer = PriorityQueueLayer::new(1, 2, |word: &&str| {
        i32::try_from(word.len()).expect("words are short")
    });
    let (mut service, mut handle) = mock::spawn_layer::<&str, &str, _>(layer);
    assert_ready_ok!(service.poll_ready());
    let running = service.call("running");
    let mut short = tokio_test::task::spawn(service.call("short"));
    let mut longer = tokio_test::task::spawn(service.call("longer"));
    assert_pending!(short.poll());
    assert_pending!(longer.poll());
    assert_request_eq!(handle, "running");

    drop(running);
    assert!(longer.is_woken() && !short.is_woken());
    assert_pending!(longer.poll());
    assert_request_eq!(handle, "longer").send_response("done");
    assert_eq!(assert_ready_ok!(longer.poll()), "done");
}
