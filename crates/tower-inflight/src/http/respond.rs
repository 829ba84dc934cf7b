use std::fmt;
use std::task::{Context, Poll, ready};

use http::Response;
use tower_service::Service;

use super::RespondFuture;
use super::answer::Answer;
use crate::Error;

/// Turns the rejections of the limiter inside it into responses.
///
/// See [`RespondLayer`](super::RespondLayer).
#[derive(Clone)]
pub struct Respond<S, A> {
    inner: S,
    answer: A,
}

impl<S, A> Respond<S, A> {
    pub(super) fn new(inner: S, answer: A) -> Self {
        Self { inner, answer }
    }

    /// The wrapped service.
    pub fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The wrapped service, to change it.
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The wrapped service alone.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S, A, Request, B, E> Service<Request> for Respond<S, A>
where
    S: Service<Request, Response = Response<B>, Error = Error<E>>,
    A: Answer<B> + Clone,
{
    type Response = Response<B>;
    type Error = E;
    type Future = RespondFuture<S::Future, A>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), E>> {
        match ready!(self.inner.poll_ready(cx)) {
            Err(Error::Service(error)) => Poll::Ready(Err(error)),
            // No limiter rejects here; its `call` says whether it does.
            Ok(()) | Err(Error::Rejected(_)) => Poll::Ready(Ok(())),
        }
    }

    fn call(&mut self, request: Request) -> Self::Future {
        RespondFuture::new(self.inner.call(request), self.answer.clone())
    }
}

impl<S: fmt::Debug, A> fmt::Debug for Respond<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Respond")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}
