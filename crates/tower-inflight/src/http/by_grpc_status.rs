use http::Response;
use inflight_core::Outcome;
use tonic::{Code, Status};

use super::by_status;

/// Says what a gRPC response means for the load, for `.classify(..)` of an
/// adaptive limit.
///
/// `DEADLINE_EXCEEDED`, `INTERNAL`, `RESOURCE_EXHAUSTED`, `UNAVAILABLE` and
/// `UNKNOWN` are overload, and whatever is for [`by_status`]. All else is a
/// success: what a client did wrong says nothing about the load.
///
/// It sees the status of a call that has failed before it sent anything. One
/// that comes in the trailers of a stream comes too late to be classified.
///
/// ```
/// use std::convert::Infallible;
///
/// use http::Response;
/// use tonic::Status;
/// use tower_inflight::{Outcome, http::by_grpc_status};
///
/// let says = |status: Status| Ok::<Response<()>, Infallible>(status.into_http());
/// assert_eq!(by_grpc_status(&says(Status::unavailable("no database"))), Outcome::Overload);
/// assert_eq!(by_grpc_status(&says(Status::not_found("no such page"))), Outcome::Success);
/// ```
pub fn by_grpc_status<B, E>(result: &Result<Response<B>, E>) -> Outcome {
    let status = result
        .as_ref()
        .ok()
        .and_then(|response| Status::from_header_map(response.headers()));
    match status.map(|status| status.code()) {
        Some(
            Code::DeadlineExceeded
            | Code::Internal
            | Code::ResourceExhausted
            | Code::Unavailable
            | Code::Unknown,
        ) => Outcome::Overload,
        _ => by_status(result),
    }
}
