use http::Response;
use inflight_core::Reason;
use tonic::{Code, Status};

use super::answer::Answer;
use super::plain::text;
use crate::Rejection;

/// Answers in band, with the gRPC status of the rejection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grpc;

impl<B: Default> Answer<B> for Grpc {
    fn answer(&self, rejection: Rejection) -> Response<B> {
        Status::from(rejection).into_http()
    }
}

/// `RESOURCE_EXHAUSTED`, or `UNAVAILABLE` if the limiter was closed: that is
/// how a server says that it is shutting down, and a client then tries another
/// one. The message says why, without the limiter's name or a number.
///
/// So `limiter.acquire().await?` works in a method of a service.
impl From<Rejection> for Status {
    fn from(rejection: Rejection) -> Self {
        let code = match rejection.reason() {
            Reason::Closed => Code::Unavailable,
            _ => Code::ResourceExhausted,
        };
        Self::new(code, text(rejection))
    }
}
