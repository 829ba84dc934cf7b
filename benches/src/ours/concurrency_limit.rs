//! `ConcurrencyLimitLayer`: a fixed limit, first come, first served.

use std::convert::Infallible;
use std::time::Duration;

use tokio::runtime;
use tower::Layer;
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Error, Reason};

use crate::inner::Inner;
use crate::line::{self, Line};

/// With room for `limit` calls, and no line.
pub fn service(limit: usize) -> ConcurrencyLimit<Inner> {
    ConcurrencyLimitLayer::new(limit).layer(Inner)
}

/// With no room, and what keeps it so: `waiting` callers, who fill the line.
pub fn full(waiting: usize) -> (ConcurrencyLimit<Inner>, impl Sized + 'static) {
    let service = ConcurrencyLimitLayer::queued(1, waiting).layer(Inner);
    let line = line::of_service(service.clone());
    let held = line.hold();
    let callers = line::waiting(&line, waiting);
    (service, (callers, held))
}

/// The same, where those who wait have a deadline, which they will not reach.
pub fn full_with_deadlines(waiting: usize) -> (ConcurrencyLimit<Inner>, impl Sized + 'static) {
    let service = with_timeout(waiting);
    let line = line::of_service(service.clone());
    let runtime = runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime needs nothing that is not there");
    let held = line.hold();
    let callers = runtime.block_on(async { line::waiting(&line, waiting) });
    (service, (callers, held, runtime))
}

/// Waits in the response future, for as long as it takes.
pub fn line() -> impl Line {
    line::of_service(ConcurrencyLimitLayer::queued(1, usize::MAX).layer(Inner))
}

/// The same with a deadline, so that each caller who waits has a timer, in a tokio runtime.
pub fn line_with_deadlines() -> impl Line {
    line::of_service(with_timeout(usize::MAX))
}

/// Reads all that a rejection says.
pub fn facts(
    result: &Result<u64, Error<Infallible>>,
) -> Option<(Reason, [usize; 4], Duration, Option<&'static str>)> {
    let rejection = result.as_ref().err()?.rejection()?;
    let numbers = [
        rejection.limit(),
        rejection.queue_limit(),
        rejection.in_flight(),
        rejection.queued(),
    ];
    Some((
        rejection.reason(),
        numbers,
        rejection.waited(),
        rejection.name(),
    ))
}

fn with_timeout(queue_limit: usize) -> ConcurrencyLimit<Inner> {
    ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(queue_limit)
        .queue_timeout(AN_HOUR)
        .build()
        .expect("the settings are valid")
        .layer(Inner)
}

const AN_HOUR: Duration = Duration::from_hours(1);
