//! The bulkhead of `tower-resilience`.

use tokio::runtime;
use tower::{Layer, Service};
use tower_resilience_bulkhead::{Bulkhead, BulkheadConfigBuilder, BulkheadLayer};

use crate::inner::{Inner, Request};
use crate::line::{self, Line};
use crate::subject::Subject;

/// With room for `limit` calls; waits, without a bound, in the response future.
pub fn service(limit: usize) -> Bulkhead<Inner> {
    build(with_limit(limit))
}

/// The same, but waiting in `poll_ready`.
pub fn backpressure(limit: usize) -> Bulkhead<Inner> {
    build(with_limit(limit).backpressure())
}

/// Calls it with no room and `reject_when_full`, in a runtime: its rejections go through a timer.
pub fn rejected() -> Subject {
    let runtime = runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime needs nothing that is not there");
    let mut service = build(with_limit(1).reject_when_full());
    let held = runtime.block_on(async { line::of_service(service.clone()).hold() });
    let call = move || runtime.block_on(service.call(Request::default()));
    Subject::repeated(call).keeping(held)
}

/// Waits in the response future.
pub fn line() -> impl Line {
    line::of_service(service(1))
}

fn with_limit(limit: usize) -> BulkheadConfigBuilder {
    BulkheadLayer::builder().max_concurrent_calls(limit)
}

fn build(settings: BulkheadConfigBuilder) -> Bulkhead<Inner> {
    settings
        .build()
        .expect("the limit is not zero")
        .layer(Inner)
}
