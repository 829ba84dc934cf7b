use super::decision::Claim;
use super::state::State;
use crate::word::State as Mark;
use crate::{Reason, Refusal, Ticket};

/// Which of the two bounds it is.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Bound {
    Key,
    Total,
}

/// Who is refused, and what they are told: the numbers of the bound that
/// refuses.
impl State {
    /// Why no amount of waiting would help.
    pub(super) fn hopeless(&self, id: u32, ticket: Ticket) -> Option<Refusal> {
        let weight = ticket.weight();
        let (reason, bound) = if self.closed {
            (Reason::Closed, Bound::Total)
        } else if u64::from(weight) > self.rules.heaviest(self.room.limit) {
            (Reason::TooHeavy, Bound::Total)
        } else if self.line.tenant(id).account.is_below(weight) {
            (Reason::TooHeavy, Bound::Key)
        } else if ticket.max_wait_nanos() == 0 {
            (Reason::QueueTimeout, Bound::Total)
        } else {
            return None;
        };
        Some(self.refusal(reason, bound, id))
    }

    /// Which of the lines has no place left, that of the key first.
    pub(super) fn full(&self, id: u32) -> Option<Bound> {
        if self.line.tenant(id).members.len() >= self.rules.key_places {
            Some(Bound::Key)
        } else if self.line.queued() >= self.rules.places {
            Some(Bound::Total)
        } else {
            None
        }
    }

    /// Of one that does not wait: the key's own limit is in the way if it does
    /// not fit, or if that is what those before it wait for.
    pub(super) fn no_room(&self, id: u32, claim: &Claim) -> Refusal {
        let account = &self.line.tenant(id).account;
        if self.line.is_blocked(id) || !account.fits(claim.weight) {
            self.refusal(Reason::KeyLimit, Bound::Key, id)
        } else {
            self.refusal(Reason::TotalLimit, Bound::Total, id)
        }
    }

    pub(super) fn no_place(&self, id: u32, bound: Bound) -> Refusal {
        let reason = match bound {
            Bound::Key => Reason::KeyQueueFull,
            Bound::Total => Reason::TotalQueueFull,
        };
        self.refusal(reason, bound, id)
    }

    pub(super) fn refusal(&self, reason: Reason, bound: Bound, id: u32) -> Refusal {
        match bound {
            Bound::Key => {
                let tenant = self.line.tenant(id);
                Refusal::new(reason, tenant.account.word(), tenant.members.len()).of_key()
            }
            Bound::Total => Refusal::new(reason, self.room.word(Mark::Free), self.line.queued()),
        }
    }
}
