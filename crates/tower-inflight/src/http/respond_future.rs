use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::Response;
use pin_project::pin_project;

use super::answer::Answer;
use crate::Error;

/// A call whose rejection will be a response.
///
/// # Errors
///
/// The service's own.
#[pin_project]
#[must_use = "dropping a `RespondFuture` cancels the call"]
pub struct RespondFuture<F, A> {
    #[pin]
    call: F,
    answer: A,
}

impl<F, A> RespondFuture<F, A> {
    pub(super) fn new(call: F, answer: A) -> Self {
        Self { call, answer }
    }
}

impl<F, A, B, E> Future for RespondFuture<F, A>
where
    F: Future<Output = Result<Response<B>, Error<E>>>,
    A: Answer<B>,
{
    type Output = Result<Response<B>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        Poll::Ready(match ready!(this.call.poll(cx)) {
            Ok(response) => Ok(response),
            Err(Error::Rejected(rejection)) => Ok(this.answer.answer(rejection)),
            Err(Error::Service(error)) => Err(error),
        })
    }
}

impl<F, A> fmt::Debug for RespondFuture<F, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RespondFuture").finish_non_exhaustive()
    }
}
