use std::task::{Context, Poll};

use tower_service::Service;

use crate::Error;
use crate::door::{Door, Held, Pass};
use crate::future::ResponseFuture;
use crate::lease::Terms;
use crate::overflow::Overflow;

/// A service that limits, before it is decided what becomes of what it turns
/// away.
#[expect(
    unnameable_types,
    reason = "sealed: the services of this crate are all there is"
)]
pub trait Limits<Request> {
    /// The service that it wraps.
    type Inner: Service<Request>;

    /// What it makes of a permit.
    type Terms: Terms<Request, Self::Permit>;

    /// What it admits with.
    type Permit: Pass + Held<Door: Door<Permit = Self::Permit>>;

    /// Asks whether the wrapped service is ready, if there is room.
    fn poll_ready(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Failure<Self::Inner, Request>>>;

    /// Decides about a call; `overflow` is only made where it may be needed.
    fn admit<O: Overflow<Request>>(
        &mut self,
        request: Request,
        overflow: impl FnOnce() -> O,
    ) -> ResponseFuture<Self::Inner, Request, Self::Terms, O, Self::Permit>;
}

/// How a call of a limited `S` fails.
pub(crate) type Failure<S, Request> = Error<<S as Service<Request>>::Error>;
