use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use tower::Service;

/// What a measured call asks of the [`Inner`] service.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request {
    /// Where the caller stands in a line by priority; other lines ignore it.
    pub priority: i32,
    /// Whether the answer never comes, so that the call keeps its permit.
    pub hangs: bool,
}

impl Request {
    /// A request that is answered at once.
    pub const fn new(priority: i32) -> Self {
        let hangs = false;
        Self { priority, hangs }
    }

    /// A request that is never answered.
    pub const fn hanging() -> Self {
        let (priority, hangs) = (i32::MAX, true);
        Self { priority, hangs }
    }
}

/// The service behind every limiter: always ready, answers at once, costs next to nothing.
#[derive(Clone, Copy, Debug)]
pub struct Inner;

impl Service<Request> for Inner {
    type Response = u64;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Answer {
        Answer {
            value: request.priority.unsigned_abs().into(),
            hangs: request.hangs,
        }
    }
}

/// The future of [`Inner`]: 16 bytes, ready at its first poll unless it hangs.
#[derive(Debug)]
pub struct Answer {
    value: u64,
    hangs: bool,
}

impl Future for Answer {
    type Output = Result<u64, Infallible>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        if self.hangs {
            return Poll::Pending;
        }
        Poll::Ready(Ok(self.value))
    }
}
