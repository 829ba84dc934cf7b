use std::time::Duration;

use inflight_core::{Reason, Refusal};

use super::gate::{Gate, Told};

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

impl<G: Gate> From<&Told<G>> for Answer {
    fn from(told: &Told<G>) -> Self {
        match told {
            Told::Granted { permit, .. } => Self::Granted(G::weight(permit) as usize),
            Told::Queued(_) | Told::Pending { .. } => Self::Queued,
            Told::Refused(refusal) => Self::Refused(refusal.into()),
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
