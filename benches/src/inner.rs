use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use tower::Service;

/// What a measured call asks of the [`Inner`] service.
///
/// One whole word, as is the [`Answer`]: what is written in pieces and then
/// moved whole stalls the processor, and not every limiter moves it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request(i64);

impl Request {
    /// A request that is answered at once.
    pub fn new(priority: i32) -> Self {
        Self(priority.into())
    }

    /// A request that is never answered.
    pub const fn hanging() -> Self {
        Self(i64::MAX)
    }

    /// Where the caller stands in a line by priority; other lines ignore it.
    #[inline]
    pub fn priority(&self) -> i32 {
        self.0.try_into().unwrap_or(i32::MAX)
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
        Answer(request)
    }
}

/// The future of [`Inner`], ready at its first poll unless it hangs.
#[derive(Debug)]
pub struct Answer(Request);

impl Future for Answer {
    type Output = Result<u64, Infallible>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let Request(value) = self.0;
        if value == i64::MAX {
            return Poll::Pending;
        }
        Poll::Ready(Ok(value.unsigned_abs()))
    }
}
