use std::fmt;

use inflight_core::Outcome;

use super::{Limiter, Permit};
use crate::adaptive::Controller;
use crate::clock::Moment;

/// A permit whose end an adaptive limiter learns from.
///
/// The time runs since [`Permit::measured`], which is best called as soon as
/// the permit is there. [`finish`](Self::finish) says how the work ended; a
/// permit that is merely dropped says nothing, like a caller who goes away.
/// With a fixed limiter it is an ordinary permit.
///
/// ```
/// use tower_inflight::{AdaptiveAimdLayer, Outcome, Rejection};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Rejection> {
/// let limiter = AdaptiveAimdLayer::new().limiter();
///
/// let permit = limiter.acquire().await?.measured();
/// let outcome = match std::fs::metadata(".") {
///     Ok(_) => Outcome::Success,
///     Err(_) => Outcome::Overload,
/// };
/// permit.finish(outcome);
/// # Ok(())
/// # }
/// ```
#[must_use = "dropping a `MeasuredPermit` gives it back at once, and tells nothing"]
pub struct MeasuredPermit {
    /// `None` once it went back ahead of the rest, so that whoever is told of
    /// its end finds it gone.
    permit: Option<Permit>,
    since: Moment,
    outcome: Outcome,
}

impl MeasuredPermit {
    #[inline]
    pub(crate) fn new(permit: Permit) -> Self {
        Self {
            permit: Some(permit),
            since: Moment::now(),
            outcome: Outcome::Ignore,
        }
    }

    /// Ends the work, tells the limiter how, and gives the permit back.
    pub fn finish(mut self, outcome: Outcome) {
        self.note(outcome);
    }

    /// How many units of the limit it holds.
    pub fn weight(&self) -> u32 {
        self.permit().weight()
    }

    /// The limiter that it came from.
    pub fn limiter(&self) -> Limiter {
        self.permit().limiter()
    }

    fn permit(&self) -> &Permit {
        let permit = self.permit.as_ref();
        permit.expect("only the end takes it away")
    }

    /// Says how the work will have ended once this is dropped.
    #[inline]
    pub(crate) fn note(&mut self, outcome: Outcome) {
        self.outcome = outcome;
    }
}

impl Drop for MeasuredPermit {
    #[inline]
    fn drop(&mut self) {
        Controller::end(&mut self.permit, self.since, self.outcome);
    }
}

impl fmt::Debug for MeasuredPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeasuredPermit")
            .field("weight", &self.weight())
            .finish_non_exhaustive()
    }
}
