//! `tower::limit::ConcurrencyLimit`.

use tower::limit::ConcurrencyLimit;

use crate::inner::Inner;
use crate::line::{self, Line};

/// With room for `limit` calls.
pub fn service(limit: usize) -> ConcurrencyLimit<Inner> {
    ConcurrencyLimit::new(Inner, limit)
}

/// Waits in `poll_ready`, without a bound.
pub fn line() -> impl Line {
    line::of_service(service(1))
}
