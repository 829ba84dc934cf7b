//! `tower::limit::GlobalConcurrencyLimitLayer`: the stock limit with a shared semaphore.

use tower::Layer;
use tower::limit::{ConcurrencyLimit, GlobalConcurrencyLimitLayer};

use crate::inner::Inner;

/// With room for `limit` calls.
pub fn service(limit: usize) -> ConcurrencyLimit<Inner> {
    GlobalConcurrencyLimitLayer::new(limit).layer(Inner)
}
