use std::time::Duration;

use inflight_core::{KeyedArrival, KeyedHost, KeyedWait, Reason, Refusal};

/// What a caller is told, as plain numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Answer {
    /// So much.
    Granted(usize),
    Queued,
    Refused(Facts),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Facts {
    pub(crate) reason: Reason,
    pub(crate) of_key: bool,
    pub(crate) limit: usize,
    pub(crate) in_flight: usize,
    pub(crate) queued: usize,
    pub(crate) waited: Duration,
}

impl Answer {
    pub(crate) fn reason(self) -> Option<Reason> {
        match self {
            Self::Refused(facts) => Some(facts.reason),
            Self::Granted(_) | Self::Queued => None,
        }
    }
}

impl<H: KeyedHost> From<&KeyedArrival<H>> for Answer {
    fn from(arrival: &KeyedArrival<H>) -> Self {
        match arrival {
            KeyedArrival::Admitted(permit) => Self::Granted(permit.weight() as usize),
            KeyedArrival::Queued(_) => Self::Queued,
            KeyedArrival::Refused(refusal) => Self::Refused(refusal.into()),
        }
    }
}

impl<H: KeyedHost> From<&KeyedWait<H>> for Answer {
    fn from(wait: &KeyedWait<H>) -> Self {
        match wait {
            KeyedWait::Admitted { permit, .. } => Self::Granted(permit.weight() as usize),
            KeyedWait::Pending { .. } => Self::Queued,
            KeyedWait::Refused(refusal) => Self::Refused(refusal.into()),
        }
    }
}

impl From<&Refusal> for Facts {
    fn from(refusal: &Refusal) -> Self {
        Self {
            reason: refusal.reason(),
            of_key: refusal.is_of_key(),
            limit: refusal.limit(),
            in_flight: refusal.in_flight(),
            queued: refusal.queued(),
            waited: refusal.waited(),
        }
    }
}
