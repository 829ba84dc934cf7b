use http::{Response, StatusCode};
use inflight_core::Outcome;

/// Says what a response means for the load, for `.classify(..)` of an adaptive
/// limit.
///
/// An error, a 5xx and `408 Request Timeout` (with which timeout layers answer)
/// are overload. Everything else is a success: what a client did wrong says
/// nothing about the load.
///
/// ```
/// use axum::{Router, routing::get};
/// use tower_inflight::AdaptiveAimdLayer;
/// use tower_inflight::http::{RespondLayer, by_status};
///
/// # fn main() -> Result<(), tower_inflight::ConfigError> {
/// let limit = AdaptiveAimdLayer::builder().classify(by_status).build()?;
/// let app: Router = Router::new()
///     .route("/report", get(async || "the report"))
///     .layer((RespondLayer::new(), limit));
/// # let _ = app;
/// # Ok(())
/// # }
/// ```
pub fn by_status<B, E>(result: &Result<Response<B>, E>) -> Outcome {
    match result {
        Ok(response) if !is_overload(response.status()) => Outcome::Success,
        Ok(_) | Err(_) => Outcome::Overload,
    }
}

fn is_overload(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT
}
