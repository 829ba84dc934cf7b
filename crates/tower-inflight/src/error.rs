use std::error::Error as StdError;
use std::fmt;

use crate::Rejection;

/// Why a call has no response: it was rejected, or the service failed.
///
/// It does **not** implement [`std::error::Error`]; it *converts* into a boxed
/// one instead, and that conversion drops the wrapper. Behind a stock layer,
/// all of which box their errors, `downcast_ref` therefore finds the
/// [`Rejection`] or the service's own error directly, however many limiters
/// are nested:
///
/// ```
/// use tower_inflight::{ConcurrencyLimitLayer, Error, Limiter, Rejection};
///
/// type BoxError = Box<dyn std::error::Error + Send + Sync>;
///
/// let limiter = Limiter::new(1);
/// let held = limiter.try_acquire()?;
/// let rejection = limiter.try_acquire().unwrap_err();
///
/// let nested: Error<Error<std::io::Error>> = Error::Service(Error::Rejected(rejection));
/// let boxed = BoxError::from(nested);
/// assert_eq!(boxed.downcast_ref::<Rejection>().unwrap().limit(), 1);
/// # drop(held);
/// # Ok::<(), Rejection>(())
/// ```
///
/// Where HTTP or gRPC is served, the `RespondLayer` of the feature `http` makes a
/// response of the rejection and leaves the service's own error. Directly under
/// axum's `HandleErrorLayer` the closure takes `Error<Infallible>`. For `anyhow` it is
/// `anyhow::Error::from_boxed(error.into())`.
#[derive(Clone, Copy, Debug)]
pub enum Error<E> {
    /// The limiter rejected the call; the service was never called.
    Rejected(Rejection),
    /// The call was admitted, and the service failed, or did not become ready;
    /// or it was rejected, and its fallback did so.
    Service(E),
}

impl<E> Error<E> {
    /// The rejection, if that is what it is.
    ///
    /// One of a limiter further in is inside [`Service`](Self::Service).
    pub fn rejection(&self) -> Option<&Rejection> {
        match self {
            Self::Rejected(rejection) => Some(rejection),
            Self::Service(_) => None,
        }
    }

    /// The service's own error.
    ///
    /// # Errors
    ///
    /// The rejection, if that is what it is.
    pub fn into_service(self) -> Result<E, Rejection> {
        match self {
            Self::Rejected(rejection) => Err(rejection),
            Self::Service(error) => Ok(error),
        }
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::Service(error) => error.fmt(f),
        }
    }
}

impl<E> From<Rejection> for Error<E> {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl<E> From<Error<E>> for Box<dyn StdError + Send + Sync>
where
    E: Into<Self>,
{
    fn from(error: Error<E>) -> Self {
        match error {
            Error::Rejected(rejection) => Self::from(rejection),
            Error::Service(error) => error.into(),
        }
    }
}

impl<E> From<Error<E>> for Box<dyn StdError>
where
    E: Into<Self>,
{
    fn from(error: Error<E>) -> Self {
        match error {
            Error::Rejected(rejection) => Self::from(rejection),
            Error::Service(error) => error.into(),
        }
    }
}
