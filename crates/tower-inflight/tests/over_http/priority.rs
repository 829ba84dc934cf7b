//! Priorities that requests bring along.

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::{HeaderValue, Request, StatusCode};
use tokio_test::task::spawn;
use tower::Service;
use tower_inflight::PriorityQueueLayer;
use tower_inflight::http::{RespondLayer, priority_from_extension, priority_from_header};

fn says(values: &[&'static str]) -> Request<()> {
    let mut request = Request::new(());
    for &value in values {
        let value = HeaderValue::from_static(value);
        request.headers_mut().append("x-priority", value);
    }
    request
}

#[test]
fn whatever_a_client_says_stays_inside_the_range() {
    let priority = priority_from_header("x-priority", -10..=0);
    for (said, is) in [
        ("-10", -10),
        ("-11", -10),
        ("-99999999999999999999", -10),
        ("0", 0),
        ("1", 0),
        ("+7", 0),
        ("-99999999999999999999999999999999999999999", -10),
        ("99999999999999999999999999999999999999999", 0),
        ("-", 0),
        ("+-3", 0),
        ("- 3", 0),
        ("2147483648", 0),
        ("99999999999999999999", 0),
        (" -4 ", -4),
        ("-4.5", 0),
        ("", 0),
        ("0x1", 0),
    ] {
        assert_eq!(priority(&says(&[said])), is, "{said:?}");
    }
}

#[test]
fn all_of_the_range_can_be_said() {
    let priority = priority_from_header("x-priority", i32::MIN..=i32::MAX);
    assert_eq!(priority(&says(&["2147483647"])), i32::MAX);
    assert_eq!(priority(&says(&["-2147483648"])), i32::MIN);
}

#[test]
fn nobody_gains_by_saying_nothing() {
    let priority = priority_from_header("x-priority", -10..=-5);
    assert_eq!(priority(&says(&[])), -5);
    assert_eq!(priority(&says(&["what"])), -5);
    let priority = priority_from_header("x-priority", 1..=5);
    assert_eq!(priority(&says(&[])), 1);
}

#[test]
fn of_several_values_the_lowest_counts() {
    let priority = priority_from_header("x-priority", -10..=10);
    assert_eq!(priority(&says(&["9", "-3"])), -3);
    assert_eq!(priority(&says(&["-3", "9"])), -3);
    assert_eq!(priority(&says(&["what", "9"])), 9);
}

/// A proxy may join the client's value and its own into one.
#[test]
fn of_values_that_are_joined_too() {
    let priority = priority_from_header("x-priority", -10..=10);
    assert_eq!(priority(&says(&["9, -3"])), -3);
    assert_eq!(priority(&says(&["9 ,-3,", "5"])), -3);
    assert_eq!(priority(&says(&["what, -3"])), -3);
    assert_eq!(priority(&says(&["1,000"])), 0);
    assert_eq!(priority(&says(&[",,"])), 0);

    let mut request = Request::new(());
    let value = HeaderValue::from_bytes(b"\xff, -3").unwrap();
    request.headers_mut().insert("x-priority", value);
    assert_eq!(priority(&request), -3);
}

#[test]
fn bytes_that_are_no_text_say_nothing() {
    let priority = priority_from_header("x-priority", -10..=10);
    let mut request = Request::new(());
    let value = HeaderValue::from_bytes(b"\xff9").unwrap();
    request.headers_mut().insert("x-priority", value);
    assert_eq!(priority(&request), 0);
}

#[test]
#[should_panic(expected = "range of priorities is empty")]
#[expect(clippy::reversed_empty_ranges, reason = "that is what is tested")]
fn an_empty_range_is_a_mistake() {
    let _ = priority_from_header::<()>("x-priority", 0..=-10);
}

#[tokio::test]
async fn a_client_that_claims_a_high_priority_evicts_nobody() {
    let priority = priority_from_header("x-priority", -10..=0);
    let limit = PriorityQueueLayer::new(1, 1, priority);
    let limiter = limit.limiter();
    let mut app = Router::new()
        .route("/", get(async || "answer"))
        .layer((RespondLayer::new(), limit));
    let request = |priority| {
        let request = Request::get("/").header("x-priority", priority);
        request.body(Body::empty()).unwrap()
    };

    let held = limiter.try_acquire().unwrap();
    let mut modest = spawn(Service::call(&mut app, request("0")));
    tokio_test::assert_pending!(modest.poll());
    let claims = Service::call(&mut app, request("1000")).await.unwrap();
    assert_eq!(claims.status(), StatusCode::SERVICE_UNAVAILABLE);

    drop(held);
    assert_eq!(modest.await.unwrap().status(), StatusCode::OK);
}

#[test]
fn what_the_server_has_found_out_counts_as_it_is() {
    #[derive(Clone)]
    struct Tier(i32);

    let priority = priority_from_extension(|tier: &Tier| tier.0);
    let mut request = says(&["99"]);
    assert_eq!(priority(&request), 0);
    for tier in [i32::MIN, 7, i32::MAX] {
        request.extensions_mut().insert(Tier(tier));
        assert_eq!(priority(&request), tier);
    }
}
