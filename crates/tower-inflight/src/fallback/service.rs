use std::fmt;
use std::task::{Context, Poll};

use tower_service::Service;

use super::Rejected;
use super::or_else::OrElse;
use crate::Error;
use crate::future::ResponseFuture;
use crate::lease::{Completes, Terms};
use crate::limits::Limits;

/// A limiting service, and another for what it turns away.
///
/// See [`FallbackLayer`](crate::FallbackLayer).
#[derive(Clone)]
pub struct Fallback<S, F> {
    limited: S,
    fallback: F,
}

impl<S, F> Fallback<S, F> {
    pub(super) fn new(limited: S, fallback: F) -> Self {
        Self { limited, fallback }
    }

    /// Lends the limiting service.
    pub fn get_ref(&self) -> &S {
        &self.limited
    }

    /// Lends the limiting service to change it.
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.limited
    }

    /// Unwraps the limiting service.
    pub fn into_inner(self) -> S {
        self.limited
    }
}

impl<S, F, Request, I> Service<Request> for Fallback<S, F>
where
    S: Limits<Request, Inner = I>,
    I: Service<Request>,
    <S::Terms as Terms<Request, S::Permit>>::Lease: Completes<I::Response, I::Error>,
    F: Service<Rejected<Request>, Response = I::Response, Error = I::Error> + Clone,
{
    type Response = <<S::Terms as Terms<Request, S::Permit>>::Lease as Completes<
        I::Response,
        I::Error,
    >>::Response;
    type Error = Error<I::Error>;
    type Future = ResponseFuture<I, Request, S::Terms, OrElse<F>, S::Permit>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.limited.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Self { limited, fallback } = self;
        limited.admit(request, || OrElse(fallback.clone()))
    }
}

impl<S: fmt::Debug, F> fmt::Debug for Fallback<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fallback")
            .field("limited", &self.limited)
            .finish_non_exhaustive()
    }
}
