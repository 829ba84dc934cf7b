use std::fmt;

use inflight_core::Outcome;

use super::classify::Classify;
use super::measured::Measured;
use crate::door::{Held, Pass};
use crate::hold::{Hold, Keep, UntilResponse};
use crate::lease::{Completes, Lease, Terms};

/// The terms of a call of an [`Adaptive`](crate::Adaptive) service: how its
/// result is classified, and how long it holds its permit.
///
/// It is there to name the service's future.
pub struct Measuring<C, H = UntilResponse> {
    classify: C,
    hold: H,
}

/// What such a call holds while it runs: its permit, when it was admitted, and
/// the classifier of its result.
#[expect(unnameable_types, reason = "only the service's future speaks of it")]
pub struct Measurement<C, H: Held> {
    measured: Measured<H>,
    classify: C,
}

impl<C, H> Measuring<C, H> {
    #[inline]
    pub(crate) fn new(classify: C, hold: H) -> Self {
        Self { classify, hold }
    }
}

impl<Request, P, C, H> Terms<Request, P> for Measuring<C, H>
where
    P: Pass,
    H: Hold<Request, P>,
{
    type Lease = Measurement<C, H::Held>;

    #[inline]
    fn begin(self, permit: P, request: &mut Request) -> Self::Lease {
        Measurement {
            measured: Measured::begin(self.hold.hold(permit, request)),
            classify: self.classify,
        }
    }
}

impl<C, H: Held> Lease for Measurement<C, H> {
    fn broken(&mut self) {
        self.measured.note(Outcome::Overload);
    }
}

impl<C, H, Response, Error> Completes<Response, Error> for Measurement<C, H>
where
    C: Classify<Response, Error>,
    H: Keep<Response>,
{
    type Response = H::Response;

    #[inline]
    fn completed(&mut self, result: Result<Response, Error>) -> Result<H::Response, Error> {
        self.measured.note(self.classify.classify(&result));
        result.map(|response| self.measured.held_mut().keep(response))
    }

    #[inline]
    fn without(response: Response) -> H::Response {
        H::without(response)
    }
}

impl<C, H> fmt::Debug for Measuring<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Measuring").finish_non_exhaustive()
    }
}

impl<C, H: Held> fmt::Debug for Measurement<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Measurement").finish_non_exhaustive()
    }
}
