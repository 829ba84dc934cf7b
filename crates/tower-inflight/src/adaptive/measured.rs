use inflight_core::Outcome;

use super::Controller;
use crate::clock::Moment;
use crate::door::{Door, Held};
use crate::reports::{Phase, Since};

/// Something held whose end an adaptive limiter learns from.
pub(crate) struct Measured<H: Held> {
    /// `None` once it went back ahead of the rest, so that whoever is told of
    /// its end finds it gone.
    held: Option<H>,
    since: Moment,
    outcome: Outcome,
    /// `None` once it is known how the work has ended, or if nobody collects
    /// how long it takes.
    work: Option<Since>,
}

impl<H: Held> Measured<H> {
    #[inline]
    pub(crate) fn begin(held: H) -> Self {
        let since = Moment::now();
        let work = if held.is_exempt() {
            None
        } else {
            held.door().reports().since(|| since)
        };
        Self {
            held: Some(held),
            since,
            outcome: Outcome::Ignore,
            work,
        }
    }

    /// Says how the work will have ended once this is dropped.
    #[inline]
    pub(crate) fn note(&mut self, outcome: Outcome) {
        self.outcome = outcome;
        if let Some(since) = self.work.take() {
            self.held().door().reports().worked(since, outcome);
        }
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
        if let (Some(since), Some(held)) = (self.work.take(), &self.held) {
            held.door().reports().cancelled(since, Phase::Running);
        }
        Controller::end(&mut self.held, self.since, self.outcome);
    }
}
