use std::fmt;

use inflight_core::Outcome;

use super::classify::Classify;
use crate::Permit;
use crate::lease::{Completes, Lease};
use crate::limit::MeasuredPermit;

/// What a call of an [`Adaptive`](crate::Adaptive) service holds while it runs:
/// its permit, when it was admitted, and the classifier of its result.
///
/// It is there to name the service's future.
pub struct Measurement<C> {
    permit: MeasuredPermit,
    classify: C,
}

impl<C> Lease for Measurement<C> {
    type Terms = C;

    #[inline]
    fn begin(permit: Permit, classify: C) -> Self {
        Self {
            permit: permit.measured(),
            classify,
        }
    }

    fn broken(&mut self) {
        self.permit.note(Outcome::Overload);
    }
}

impl<C, Response, Error> Completes<Response, Error> for Measurement<C>
where
    C: Classify<Response, Error>,
{
    #[inline]
    fn completed(&mut self, result: &Result<Response, Error>) {
        self.permit.note(self.classify.classify(result));
    }
}

impl<C> fmt::Debug for Measurement<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Measurement")
            .field("permit", &self.permit)
            .finish_non_exhaustive()
    }
}
