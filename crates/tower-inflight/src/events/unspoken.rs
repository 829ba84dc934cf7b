use inflight_core::Snapshot;

use crate::Rejection;

/// Nothing is said: the feature `tracing` is off.
#[derive(Debug)]
pub(crate) struct Events;

#[expect(clippy::unused_self, reason = "the same as those that are spoken")]
impl Events {
    pub(crate) fn new() -> Self {
        Self
    }

    #[inline]
    pub(crate) fn are_heard() -> bool {
        false
    }

    #[inline]
    pub(crate) fn rejected(&self, _: &Rejection) {}

    pub(crate) fn limit_set(_: Option<&str>, _: usize, _: usize) {}

    pub(crate) fn closed(_: Option<&str>, _: &Snapshot) {}
}
