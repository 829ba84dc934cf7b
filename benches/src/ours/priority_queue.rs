//! `PriorityQueueLayer`: a fixed limit, by priority, with eviction.

use std::convert::Infallible;

use tower::{Layer, Service};
use tower_inflight::{Error, PriorityQueueLayer};

use crate::inner::{Inner, Request};
use crate::line::{self, Line};

/// With room for `limit` calls, and no line.
pub fn service(limit: usize) -> impl PriorityService {
    queued(limit, 0)
}

/// With no room, and what keeps it so: `waiting` callers, who fill the line and whom nobody
/// outranks.
pub fn full(waiting: usize) -> (impl PriorityService, impl Sized + 'static) {
    let service = queued(1, waiting);
    let line = line::of_service(service.clone());
    let held = line.hold();
    let callers = line::waiting(&line, waiting);
    (service, (callers, held))
}

/// Waits by priority; where `queue_limit` callers wait, a higher one evicts the lowest.
pub fn line(queue_limit: usize) -> impl Line {
    line::of_service(queued(1, queue_limit))
}

/// What is said here of the service whose closure has no name.
pub trait PriorityService:
    Service<Request, Response = u64, Error = Error<Infallible>> + Clone + Send + 'static
{
}

impl<S> PriorityService for S where
    S: Service<Request, Response = u64, Error = Error<Infallible>> + Clone + Send + 'static
{
}

fn queued(limit: usize, queue_limit: usize) -> impl PriorityService {
    PriorityQueueLayer::new(limit, queue_limit, Request::priority).layer(Inner)
}
