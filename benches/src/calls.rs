//! Calls that are over after one poll: admitted and answered, or rejected.

use std::fmt;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tower::Service;

use crate::inner::Request;
use crate::subject::Subject;

/// Which service a caller calls.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Calling {
    /// A fresh clone for each call, as a server does that clones its service for each request.
    Cloned,
    /// One and the same service again and again.
    Reused,
}

impl Calling {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Reused, Self::Cloned];
}

impl fmt::Display for Calling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cloned => "cloned",
            Self::Reused => "reused",
        })
    }
}

/// Calls `service`; an operation is one call, with the end of its future.
pub fn repeated<S>(mut service: S, calling: Calling) -> Subject
where
    S: Service<Request> + Clone + 'static,
{
    match calling {
        Calling::Cloned => Subject::repeated(move || call(&mut service.clone())),
        Calling::Reused => Subject::repeated(move || call(&mut service)),
    }
}

/// Calls one and the same `service`, and has `reading` look at each result.
pub fn read<S, T>(
    mut service: S,
    reading: impl Fn(&Result<S::Response, S::Error>) -> T + 'static,
) -> Subject
where
    S: Service<Request> + 'static,
{
    Subject::repeated(move || {
        if let Poll::Ready(result) = black_box(call(&mut service)) {
            black_box(reading(&result));
        }
    })
}

/// Makes one call: readiness, the call, one poll of its future, its end.
#[inline]
pub fn call<S>(service: &mut S) -> Poll<Result<S::Response, S::Error>>
where
    S: Service<Request>,
{
    let mut context = Context::from_waker(Waker::noop());
    let ready = service.poll_ready(&mut context);
    assert!(matches!(ready, Poll::Ready(Ok(()))), "the service is ready");
    let future = pin!(service.call(black_box(Request::default())));
    future.poll(&mut context)
}
