//! Rejections as responses.

use std::io;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::handler::Handler;
use axum::response::IntoResponse;
use axum::routing::get;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{Request, Response, StatusCode};
use inflight_test::Script;
use tonic::{Code, Status};
use tower::{Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::http::{RespondLayer, response};
use tower_inflight::{ConcurrencyLimitLayer, KeyedLimiter, Limiter, Reason, Rejection, Ticket};

use crate::refusing::{closed, limit_reached, rejections, rejections_by_key, too_heavy};

fn request() -> Request<Body> {
    Request::new(Body::empty())
}

async fn text(response: Response<Body>) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), 200)
        .await
        .unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_response_says_why_and_nothing_of_the_inside() {
    for rejection in rejections() {
        let response: Response<&str> = response(rejection);
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(
            response.headers()[CONTENT_TYPE],
            "text/plain; charset=utf-8"
        );
        let text = response.into_body();
        assert!(text.ends_with(rejection.reason().as_str()), "{text}");
        assert!(!text.starts_with("too many of your requests"), "{text}");
        assert!(!text.contains("internal"), "{text}");
        assert!(!text.contains(|c: char| c.is_ascii_digit()), "{text}");
    }
}

#[test]
fn a_response_says_whose_bound_it_was() {
    for rejection in rejections_by_key() {
        let whose = if rejection.is_of_key() {
            "too many of your requests"
        } else {
            "the server is overloaded"
        };
        let text: &str = response(rejection).into_body();
        assert_eq!(text, format!("{whose}: {}", rejection.reason()));
    }
}

#[test]
fn only_what_can_never_fit_is_not_told_to_come_back() {
    for rejection in rejections() {
        let response: Response<&str> = response(rejection);
        let after = response.headers().get(RETRY_AFTER);
        match rejection.reason() {
            Reason::TooHeavy => assert_eq!(after, None),
            _ => assert_eq!(after.unwrap(), "1"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_asks_too_much_is_told_apart_from_a_full_server() {
    let limiter = KeyedLimiter::builder()
        .max_concurrency(2)
        .key_max_concurrency(1)
        .queue_limit(1)
        .key_queue_limit(1)
        .build_limiter()
        .unwrap();
    let told = |rejection: Rejection| {
        let response: Response<&str> = response(rejection);
        (response.status().as_u16(), response.into_body())
    };
    let soon = Ticket::new().with_max_wait(Duration::from_millis(1));
    let _one = limiter.try_acquire("noisy").unwrap();
    let late = limiter.acquire_with("noisy", soon).await.unwrap_err();
    let noisy = limiter.try_acquire("noisy").unwrap_err();
    let _two = limiter.try_acquire("other").unwrap();
    let quiet = limiter.try_acquire("quiet").unwrap_err();
    assert_eq!(
        told(late),
        (429, "too many of your requests: queue_timeout")
    );
    assert_eq!(told(noisy), (429, "too many of your requests: key_limit"));
    assert_eq!(told(quiet), (503, "the server is overloaded: total_limit"));
    assert_eq!(Status::from(noisy).code(), Code::ResourceExhausted);
}

#[tokio::test]
async fn the_error_is_the_services_own_again() {
    let limit = ConcurrencyLimitLayer::new(1);
    let limiter = limit.limiter();
    let service = ServiceBuilder::new()
        .layer(RespondLayer::new())
        .layer(limit)
        .service(service_fn(async |fails: bool| {
            if fails {
                Err(io::Error::other("its own"))
            } else {
                Ok(Response::new("answer"))
            }
        }));
    let answer: Result<Response<&str>, io::Error> = service.clone().oneshot(false).await;
    assert_eq!(answer.unwrap().into_body(), "answer");
    let error: io::Error = service.clone().oneshot(true).await.unwrap_err();
    assert_eq!(error.to_string(), "its own");

    let _held = limiter.try_acquire().unwrap();
    let response = service.oneshot(true).await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_readiness_error_is_passed_on() {
    let script: Script<(), Response<&str>, &str> = Script::new();
    script.fail_readiness("broken");
    let mut service = ServiceBuilder::new()
        .layer(RespondLayer::new())
        .layer(ConcurrencyLimitLayer::new(1))
        .service(script.service());
    assert_eq!(service.ready().await.unwrap_err(), "broken");
}

#[tokio::test]
async fn axum_takes_the_stack_at_every_place_without_error_handling() {
    let limit = ConcurrencyLimitLayer::new(1);
    let limiter = limit.limiter();
    let stack = ServiceBuilder::new()
        .layer(RespondLayer::new())
        .layer(limit);
    let handler = async || "answer";
    let apps = [
        Router::new().route("/", get(handler)).layer(stack.clone()),
        Router::new().route("/", get(handler).layer(stack.clone())),
        Router::new().route("/", get(handler.layer(stack.clone()))),
        Router::new().route("/", get(handler)).route_layer(stack),
    ];
    for app in &apps {
        let response = app.clone().oneshot(request()).await.unwrap();
        assert_eq!(text(response).await, "answer");
    }
    let _held = limiter.try_acquire().unwrap();
    for app in apps {
        let response = app.oneshot(request()).await.unwrap();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(
            text(response).await,
            "the server is overloaded: limit_reached"
        );
    }
}

#[tokio::test]
async fn a_closure_answers_whatever_it_wants() {
    let respond = RespondLayer::with(|rejection| {
        let mut response = Response::new(format!("{:?}", rejection.reason()));
        *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
        response
    });
    let limit = ConcurrencyLimitLayer::new(1);
    limit.limiter().close();
    let app: Router = Router::new()
        .route("/", get(async || "answer"))
        .layer((respond, limit));
    let response = app.oneshot(request()).await.unwrap();
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(text(response).await, "Closed");
}

#[tokio::test]
async fn retry_after_is_rounded_up_to_whole_seconds() {
    let said = [
        (Some(Duration::ZERO), Some("0")),
        (Some(Duration::from_nanos(1)), Some("1")),
        (Some(Duration::from_secs(2)), Some("2")),
        (Some(Duration::from_millis(2_001)), Some("3")),
        (Some(Duration::MAX), Some("18446744073709551615")),
        (None, None),
    ];
    for (after, header) in said {
        let limit = ConcurrencyLimitLayer::new(1);
        limit.limiter().close();
        let mut service = ServiceBuilder::new()
            .layer(RespondLayer::new().retry_after(move |_| after))
            .layer(limit)
            .service(service_fn(async |()| {
                Ok::<_, io::Error>(Response::new("answer"))
            }));
        let response = service.call(()).await.unwrap();
        let told = response.headers().get(RETRY_AFTER);
        assert_eq!(told.map(|value| value.to_str().unwrap()), header);
    }
}

#[tokio::test]
async fn a_handler_passes_a_rejection_on_with_a_question_mark() {
    async fn handler(limiter: Limiter) -> Result<&'static str, Rejection> {
        let _permit = limiter.acquire().await?;
        Ok("answer")
    }
    let limiter = Limiter::new(1);
    let response = handler(limiter.clone()).await.into_response();
    assert_eq!(response.status(), StatusCode::OK);

    let _held = limiter.try_acquire().unwrap();
    let response = handler(limiter).await.into_response();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()[RETRY_AFTER], "1");
}

#[test]
fn a_status_is_resource_exhausted_or_unavailable_once_closed() {
    assert_eq!(
        Status::from(limit_reached()).code(),
        Code::ResourceExhausted
    );
    assert_eq!(Status::from(too_heavy()).code(), Code::ResourceExhausted);
    assert_eq!(Status::from(closed()).code(), Code::Unavailable);
    for rejection in rejections() {
        let status = Status::from(rejection);
        let text = status.message();
        assert!(text.ends_with(rejection.reason().as_str()), "{text}");
        assert!(!text.contains("internal"), "{text}");
    }
}
