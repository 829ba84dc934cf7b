use std::convert::Infallible;
use std::sync::Arc;

use inflight_core::{Outcome, Reason};

use super::{Phase, Reasons};
use crate::clock::Moment;

/// Nobody counts: the feature `metrics` is off.
#[derive(Clone, Debug)]
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct Reports;

/// Nobody measures, so no measuring ever begins.
pub(crate) type Since = Infallible;

#[expect(
    clippy::unused_self,
    reason = "the same as those of whoever does count"
)]
impl Reports {
    #[inline]
    pub(crate) fn attach(_: Option<&'static str>, _: Reasons) -> Self {
        Self
    }

    #[inline]
    pub(crate) fn watch<G>(&self, _: &Arc<G>) {}

    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        false
    }

    #[inline]
    pub(crate) fn since(&self, _: impl FnOnce() -> Moment) -> Option<Since> {
        None
    }

    #[inline]
    pub(crate) fn admitted(&self) {}

    #[inline]
    pub(crate) fn exempt(&self) {}

    #[inline]
    pub(crate) fn rejected(&self, _: Reason) {}

    #[inline]
    pub(crate) fn hook_failed(&self) {}

    #[inline]
    pub(crate) fn waited(&self, since: Since) {
        match since {}
    }

    #[inline]
    pub(crate) fn worked(&self, since: Since, _: Outcome) {
        match since {}
    }

    #[inline]
    pub(crate) fn cancelled(&self, since: Since, _: Phase) {
        match since {}
    }
}
