use crate::door::{Held, Pass};
use crate::hold::{Hold, Keep};
use crate::lease::{Completes, Lease, Terms};

/// The terms of a fixed limit, which needs to know only that a call is over.
#[derive(Clone, Copy, Debug, Default)]
#[expect(unnameable_types, reason = "only the services speak of it")]
pub struct Unmeasured<H>(pub(crate) H);

/// What a call under a fixed limit holds while it runs.
#[derive(Debug)]
#[expect(unnameable_types, reason = "only the services speak of it")]
pub struct Tenure<H>(H);

impl<Request, P, H> Terms<Request, P> for Unmeasured<H>
where
    P: Pass,
    H: Hold<Request, P>,
{
    type Lease = Tenure<H::Held>;

    #[inline]
    fn begin(self, permit: P, request: &mut Request) -> Tenure<H::Held> {
        Tenure(self.0.hold(permit, request))
    }
}

impl<H: Held> Lease for Tenure<H> {
    #[inline]
    fn broken(&mut self) {}
}

impl<H, Response, Error> Completes<Response, Error> for Tenure<H>
where
    H: Keep<Response>,
{
    type Response = H::Response;

    #[inline]
    fn completed(&mut self, result: Result<Response, Error>) -> Result<H::Response, Error> {
        result.map(|response| self.0.keep(response))
    }

    #[inline]
    fn without(response: Response) -> H::Response {
        H::without(response)
    }
}
