use std::fmt;

use inflight_core::Outcome;

use super::{Limiter, Permit};
use crate::adaptive::Measured;

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
pub struct MeasuredPermit(Measured<Permit>);

impl MeasuredPermit {
    #[inline]
    pub(crate) fn new(permit: Permit) -> Self {
        Self(Measured::begin(permit))
    }

    /// Ends the work, tells the limiter how, and gives the permit back.
    pub fn finish(mut self, outcome: Outcome) {
        self.0.note(outcome);
    }

    /// How many units of the limit it holds.
    pub fn weight(&self) -> u32 {
        self.0.held().weight()
    }

    /// The limiter that it came from.
    pub fn limiter(&self) -> Limiter {
        self.0.held().limiter()
    }
}

impl fmt::Debug for MeasuredPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeasuredPermit")
            .field("weight", &self.weight())
            .finish_non_exhaustive()
    }
}
