//! Weights that requests bring along.

use std::convert::Infallible;

use http::{HeaderValue, Request, Response};
use tower::{Layer, Service, service_fn};
use tower_inflight::ConcurrencyLimitLayer;
use tower_inflight::http::{weight_from_extension, weight_from_header};

fn says(values: &[&'static str]) -> Request<()> {
    let mut request = Request::new(());
    for &value in values {
        let value = HeaderValue::from_static(value);
        request.headers_mut().append("x-weight", value);
    }
    request
}

#[test]
fn whatever_a_client_says_stays_inside_the_range() {
    let weight = weight_from_header("x-weight", 2..=8);
    for (said, is) in [
        ("3", 3),
        ("0", 2),
        ("-1", 2),
        ("9", 8),
        ("4294967296", 8),
        ("99999999999999999999", 8),
        ("99999999999999999999999999999999999999999", 8),
        ("-99999999999999999999999999999999999999999", 2),
        ("heavy", 2),
    ] {
        assert_eq!(weight(&says(&[said])), is, "{said:?}");
    }
    assert_eq!(weight(&says(&[])), 2);
}

#[test]
fn of_several_values_the_greatest_counts() {
    let weight = weight_from_header("x-weight", 1..=u32::MAX);
    assert_eq!(weight(&says(&["1", "6"])), 6);
    assert_eq!(weight(&says(&["6", "1"])), 6);
    // A proxy may join the client's value and its own into one.
    assert_eq!(weight(&says(&["1, 6"])), 6);
    assert_eq!(weight(&says(&["light, 6"])), 6);
}

#[test]
#[should_panic(expected = "range of weights is empty")]
#[expect(clippy::reversed_empty_ranges, reason = "that is what is tested")]
fn an_empty_range_is_a_mistake() {
    let _ = weight_from_header::<()>("x-weight", 8..=1);
}

#[test]
fn what_the_server_has_found_out_counts_as_it_is() {
    #[derive(Clone)]
    struct Rows(u32);

    let weight = weight_from_extension(|rows: &Rows| rows.0);
    let mut request = says(&["99"]);
    assert_eq!(weight(&request), 1);
    request.extensions_mut().insert(Rows(500));
    assert_eq!(weight(&request), 500);
}

#[tokio::test]
async fn it_is_what_the_call_takes_of_the_limit() {
    let limit = ConcurrencyLimitLayer::new(8).with_weight(weight_from_header("x-weight", 1..=8));
    let limiter = limit.limiter();
    let inside = limiter.clone();
    let mut service = limit.layer(service_fn(move |_: Request<()>| {
        let in_flight = inside.snapshot().in_flight;
        async move { Ok::<_, Infallible>(Response::new(in_flight)) }
    }));
    let response = service.call(says(&["5"])).await.unwrap();
    assert_eq!(response.into_body(), 5);
    let response = service.call(says(&["500"])).await.unwrap();
    assert_eq!(response.into_body(), 8);
}
