//! For services that speak HTTP or gRPC.
//!
//! - [`RespondLayer`] turns a rejection into a response, so that the stack has
//!   the service's own error again: `Infallible` in axum and tonic.
//! - [`UntilBody`] lets a permit live as long as the body of the response, and
//!   a [`PermitHandle`] as long as work that outlives the request.
//! - `priority_from_*` and `weight_from_*` read what a request is worth, and
//!   `time_left_from_*` how long its caller will still wait.
//! - [`by_status`] tells an adaptive limit which responses are overload.
//!
//! ```
//! use axum::{Router, routing::get};
//! use tower_inflight::ConcurrencyLimitLayer;
//! use tower_inflight::http::RespondLayer;
//!
//! let app: Router = Router::new()
//!     .route("/report", get(async || "the report"))
//!     .layer((RespondLayer::new(), ConcurrencyLimitLayer::queued(10, 20)));
//! # let _ = app;
//! ```
//!
//! # How long a permit lives
//!
//! | `.hold(..)` of a layer's builder | the permit goes back when | and so bounds |
//! |---|---|---|
//! | [`UntilResponse`](crate::UntilResponse), the default | the response is ready, its head about to be sent | the handler |
//! | [`UntilBody`] | the body has ended, has failed, or was dropped | what goes on while it is sent: exports, events |
//! | either, [`with_handle`](UntilBody::with_handle) | the same, and nobody holds it by its [`PermitHandle`] | websockets, tasks, blocking jobs |
//!
//! # What a client may say of itself
//!
//! A header is a *claim*. Whoever may claim a high priority passes all who
//! wait and evicts the lowest of them, and whoever may claim a low weight gets
//! more than a share. So each reader of a header takes a range, and moves into
//! it whatever the client says:
//!
//! - `priority_from_header("x-priority", -10..=0)` lets a client lower itself,
//!   never raise itself. This is what a server that strangers can reach wants.
//! - A range that goes above 0 hands the decision to the client. Do it only
//!   where something in front of this server sets the header, and *removes*
//!   the one that came from outside.
//! - What a server has found out by itself (who signed in, what they pay for)
//!   belongs in an extension: no client can write one.
//!
//! Of several values of one header, in lines of their own or joined by commas,
//! that counts which favours the caller least, and what is no number is as if
//! it were not there.

mod answer;
#[cfg(feature = "axum")]
mod axum;
#[cfg(feature = "tonic")]
mod by_grpc_status;
mod by_status;
mod deadline;
#[cfg(feature = "tonic")]
mod grpc;
mod number;
mod permit_body;
mod permit_handle;
mod plain;
mod priority;
mod respond;
mod respond_future;
mod respond_layer;
mod retry_after;
mod time_left;
mod until_body;
mod values;
mod weight;
mod with_handle;

#[cfg(feature = "tonic")]
pub use self::by_grpc_status::by_grpc_status;
pub use self::by_status::by_status;
pub use self::deadline::Deadline;
#[cfg(feature = "tonic")]
pub use self::grpc::Grpc;
pub use self::permit_body::PermitBody;
pub use self::permit_handle::{HeldPermit, PermitHandle};
pub use self::plain::{Plain, response};
pub use self::priority::{priority_from_extension, priority_from_header};
pub use self::respond::Respond;
pub use self::respond_future::RespondFuture;
pub use self::respond_layer::RespondLayer;
pub use self::retry_after::RetryAfter;
pub use self::time_left::{
    time_left_from_extension, time_left_from_grpc_timeout, time_left_from_header,
};
pub use self::until_body::UntilBody;
pub use self::weight::{weight_from_extension, weight_from_header};
pub use self::with_handle::WithHandle;
