use std::pin::Pin;
use std::task::{Context, Poll};

use crate::Rejection;

/// What becomes of a call that is turned away.
#[expect(
    unnameable_types,
    reason = "sealed: it fails, or a fallback takes it, and nothing else"
)]
pub trait Overflow<Request> {
    /// Whether anything can come of it but a rejection.
    const DIVERTS: bool;

    /// What is kept of the call until its caller may be told.
    type Kept;

    /// What runs in its stead.
    type Call;

    /// Keeps what will be needed, and drops the rest.
    fn keep(self, request: Request) -> Self::Kept;

    /// Begins what runs in its stead.
    ///
    /// # Errors
    ///
    /// The rejection, if nothing does.
    fn divert(kept: Self::Kept, rejection: Rejection) -> Result<Self::Call, Rejection>;
}

/// What runs in the stead of a call that was turned away, and what it answers.
#[expect(
    unnameable_types,
    reason = "sealed: it fails, or a fallback takes it, and nothing else"
)]
pub trait Diverts<Request, Response, Error>: Overflow<Request> {
    /// Polls what runs in its stead.
    fn poll(call: Pin<&mut Self::Call>, cx: &mut Context<'_>) -> Poll<Result<Response, Error>>;
}

/// A call that is turned away fails.
#[derive(Clone, Copy, Debug, Default)]
#[expect(unnameable_types, reason = "only the services speak of it")]
pub struct Reject;

/// Nothing runs in its stead.
#[derive(Debug)]
#[expect(unnameable_types, reason = "there is none")]
pub enum Never {}

impl<Request> Overflow<Request> for Reject {
    const DIVERTS: bool = false;

    type Kept = ();
    type Call = Never;

    #[inline]
    fn keep(self, _: Request) {}

    #[inline]
    fn divert((): (), rejection: Rejection) -> Result<Never, Rejection> {
        Err(rejection)
    }
}

impl<Request, Response, Error> Diverts<Request, Response, Error> for Reject {
    fn poll(call: Pin<&mut Never>, _: &mut Context<'_>) -> Poll<Result<Response, Error>> {
        match *call {}
    }
}
