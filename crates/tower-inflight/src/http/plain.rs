use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};
use inflight_core::Reason;

use super::answer::Answer;
use crate::Rejection;

/// Answers with [`response`]: a status, a line of text, and when to come back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<B: From<&'static str>> Answer<B> for Plain {
    fn answer(&self, rejection: Rejection) -> Response<B> {
        response(rejection)
    }
}

/// The response that a rejection is by default.
///
/// It has the status 503, or 429 if the client has reached a limit of its own
/// key; `Retry-After: 1`; and a line of plain text that ends with the stable
/// name of the reason. Neither the limiter's name nor a number is in it: they
/// are nobody's business outside. A request that is heavier than the limit can
/// become is not told to come back.
///
/// ```
/// use http::{Response, StatusCode, header};
/// use tower_inflight::{Limiter, http::response};
///
/// let limiter = Limiter::new(1);
/// let held = limiter.try_acquire().unwrap();
/// let rejection = limiter.try_acquire().unwrap_err();
///
/// let response: Response<&str> = response(rejection);
/// assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
/// assert_eq!(response.headers()[header::RETRY_AFTER], "1");
/// assert_eq!(*response.body(), "the server is overloaded: limit_reached");
/// # drop(held);
/// ```
pub fn response<B: From<&'static str>>(rejection: Rejection) -> Response<B> {
    let mut response = Response::new(B::from(text(rejection)));
    // A shared limit is everybody's: it is not this client who did too much.
    *response.status_mut() = if rejection.is_of_key() {
        StatusCode::TOO_MANY_REQUESTS
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    if rejection.reason() != Reason::TooHeavy {
        let soon = HeaderValue::from_static("1");
        response.headers_mut().insert(RETRY_AFTER, soon);
    }
    response
}

/// What the outside is told.
pub(super) fn text(rejection: Rejection) -> &'static str {
    let of_key = rejection.is_of_key();
    match rejection.reason() {
        Reason::Closed => "the server is shutting down: closed",
        Reason::KeyLimit => "too many of your requests: key_limit",
        Reason::KeyQueueFull => "too many of your requests: key_queue_full",
        Reason::LimitReached => "the server is overloaded: limit_reached",
        Reason::QueueEvicted if of_key => "too many of your requests: queue_evicted",
        Reason::QueueEvicted => "the server is overloaded: queue_evicted",
        Reason::QueueFull => "the server is overloaded: queue_full",
        Reason::QueueTimeout if of_key => "too many of your requests: queue_timeout",
        Reason::QueueTimeout => "the server is overloaded: queue_timeout",
        Reason::TooHeavy => "the request is too large: too_heavy",
        Reason::TooManyKeys => "the server is overloaded: too_many_keys",
        Reason::TotalLimit => "the server is overloaded: total_limit",
        Reason::TotalQueueFull => "the server is overloaded: total_queue_full",
        _ => "the server is overloaded",
    }
}
