use std::time::Duration;

use inflight_core::{Arrival, Host, Permit, Reason, Refusal, Wait};

use crate::model::Model;

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
    pub(crate) limit: usize,
    pub(crate) in_flight: usize,
    pub(crate) queued: usize,
    pub(crate) waited: Duration,
}

impl Answer {
    pub(crate) fn refused(model: &Model, reason: Reason, waited: u64) -> Self {
        Self::Refused(Facts {
            reason,
            limit: model.options.limit.get(),
            in_flight: model.in_flight,
            queued: model.line.len(),
            waited: Duration::from_nanos(waited),
        })
    }

    pub(crate) fn granted<H: Host>(permit: &Permit<H>) -> Self {
        Self::Granted(permit.weight() as usize)
    }

    pub(crate) fn reason(self) -> Option<Reason> {
        match self {
            Self::Refused(facts) => Some(facts.reason),
            Self::Granted(_) | Self::Queued => None,
        }
    }
}

impl<H: Host> From<&Arrival<H>> for Answer {
    fn from(arrival: &Arrival<H>) -> Self {
        match arrival {
            Arrival::Admitted(permit) => Self::granted(permit),
            Arrival::Queued(_) => Self::Queued,
            Arrival::Refused(refusal) => Self::Refused(refusal.into()),
        }
    }
}

impl<H: Host> From<&Wait<H>> for Answer {
    fn from(wait: &Wait<H>) -> Self {
        match wait {
            Wait::Admitted { permit, .. } => Self::granted(permit),
            Wait::Pending { .. } => Self::Queued,
            Wait::Refused(refusal) => Self::Refused(refusal.into()),
        }
    }
}

impl From<&Refusal> for Facts {
    fn from(refusal: &Refusal) -> Self {
        Self {
            reason: refusal.reason(),
            limit: refusal.limit(),
            in_flight: refusal.in_flight(),
            queued: refusal.queued(),
            waited: refusal.waited(),
        }
    }
}
