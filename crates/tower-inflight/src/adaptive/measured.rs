use inflight_core::Outcome;

use super::Controller;
use crate::clock::Moment;
use crate::door::Held;

/// Something held whose end an adaptive limiter learns from.
pub(crate) struct Measured<H: Held> {
    /// `None` once it went back ahead of the rest, so that whoever is told of
    /// its end finds it gone.
    held: Option<H>,
    since: Moment,
    outcome: Outcome,
}

impl<H: Held> Measured<H> {
    #[inline]
    pub(crate) fn begin(held: H) -> Self {
        Self {
            held: Some(held),
            since: Moment::now(),
            outcome: Outcome::Ignore,
        }
    }

    /// Says how the work will have ended once this is dropped.
    #[inline]
    pub(crate) fn note(&mut self, outcome: Outcome) {
        self.outcome = outcome;
    }

    pub(crate) fn held(&self) -> &H {
        let held = self.held.as_ref();
        held.expect("only the end takes it away")
    }

    #[inline]
    pub(crate) fn held_mut(&mut self) -> &mut H {
        let held = self.held.as_mut();
        held.expect("only the end takes it away")
    }
}

impl<H: Held> Drop for Measured<H> {
    #[inline]
    fn drop(&mut self) {
        Controller::end(&mut self.held, self.since, self.outcome);
    }
}
