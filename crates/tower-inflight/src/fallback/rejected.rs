use crate::Rejection;

/// A request that was turned away, whole, and why.
///
/// It is what a fallback is called with.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rejected<Request> {
    /// The request.
    pub request: Request,
    /// Why it was turned away.
    pub rejection: Rejection,
}

impl<Request> Rejected<Request> {
    /// Puts the two together, for tests of a fallback; a limiter does it by
    /// itself.
    pub fn new(request: Request, rejection: Rejection) -> Self {
        Self { request, rejection }
    }
}
