use axum_core::response::{IntoResponse, Response};

use super::response;
use crate::Rejection;

/// As [`response`], so that `limiter.acquire().await?` works in a handler.
impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        response(self)
    }
}
