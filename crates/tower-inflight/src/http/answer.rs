use http::Response;

use crate::Rejection;

/// Makes a response of a rejection.
///
/// It is implemented for [`Plain`](super::Plain) and the other answers of this
/// module, and for every `Fn(Rejection) -> Response<R>` whose `R` converts into
/// the body of the service. Nothing else can implement it.
#[expect(
    unnameable_types,
    reason = "sealed: closures and the answers of this module are all there is"
)]
pub trait Answer<B> {
    /// What the client is told.
    fn answer(&self, rejection: Rejection) -> Response<B>;
}

impl<F, R, B> Answer<B> for F
where
    F: Fn(Rejection) -> Response<R>,
    B: From<R>,
{
    fn answer(&self, rejection: Rejection) -> Response<B> {
        self(rejection).map(B::from)
    }
}
