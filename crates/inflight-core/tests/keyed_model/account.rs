use inflight_core::KeyPlan;

use crate::gate::Key;

/// What a call counts under: its key, or what those share who are too many.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Name {
    Own(Key),
    Shared,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Account {
    pub(crate) limit: usize,
    pub(crate) in_flight: usize,
    pub(crate) share: u32,
}

impl From<KeyPlan> for Account {
    fn from(plan: KeyPlan) -> Self {
        Self {
            limit: plan.limit.get(),
            in_flight: 0,
            share: plan.share.get(),
        }
    }
}
