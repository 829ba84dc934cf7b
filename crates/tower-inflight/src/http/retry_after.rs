use std::fmt;
use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderValue, Response};

use super::answer::Answer;
use crate::Rejection;

/// Another answer, with another `Retry-After`; made by
/// [`RespondLayer::retry_after`](super::RespondLayer::retry_after).
#[derive(Clone)]
pub struct RetryAfter<A, F> {
    answer: A,
    after: F,
}

impl<A, F> RetryAfter<A, F> {
    pub(super) fn new(answer: A, after: F) -> Self {
        Self { answer, after }
    }
}

impl<A, F, B> Answer<B> for RetryAfter<A, F>
where
    A: Answer<B>,
    F: Fn(Rejection) -> Option<Duration>,
{
    fn answer(&self, rejection: Rejection) -> Response<B> {
        let mut response = self.answer.answer(rejection);
        match (self.after)(rejection) {
            Some(after) => response.headers_mut().insert(RETRY_AFTER, seconds(after)),
            None => response.headers_mut().remove(RETRY_AFTER),
        };
        response
    }
}

impl<A: fmt::Debug, F> fmt::Debug for RetryAfter<A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryAfter")
            .field("answer", &self.answer)
            .finish_non_exhaustive()
    }
}

/// Whole ones, since the header knows no parts; rounded up, since whoever
/// comes back too early is rejected once more.
fn seconds(duration: Duration) -> HeaderValue {
    let begun = u64::from(duration.subsec_nanos() > 0);
    HeaderValue::from(duration.as_secs().saturating_add(begun))
}
