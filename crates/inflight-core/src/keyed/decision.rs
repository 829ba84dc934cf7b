use super::refusals::Bound;
use super::rules::Rules;
use super::state::State;
use super::waiting::Stage;
use crate::{Reason, Refusal, Ticket};

/// What an arrival is told that came to the line.
pub(super) enum Decision {
    Admitted,
    Queued(u32),
    Refused(Refusal),
}

/// What an arrival asks for.
#[derive(Clone, Copy)]
pub(super) struct Claim {
    pub(super) weight: u64,
    priority: i32,
}

impl Claim {
    fn new(rules: &Rules, ticket: Ticket) -> Self {
        Self {
            weight: u64::from(ticket.weight()),
            priority: rules.priority(ticket),
        }
    }
}

/// What becomes of those who come.
impl State {
    /// Decides about an arrival of a key whose own limit is what its next
    /// caller waits for, and behind whom this one has to stand: the total has
    /// no part in it, and may go on meanwhile. `None` if it is not that simple.
    pub(super) fn stand_behind(&mut self, id: u32, ticket: Ticket, now: u64) -> Option<Decision> {
        let claim = Claim::new(&self.rules, ticket);
        let tenant = self.line.tenant(id);
        let is_simple = tenant.is_blocked()
            && !tenant.is_ahead(claim.priority)
            && tenant.late(now).is_none()
            && !self.is_next_late(now)
            && self.line.queued() < self.rules.places
            && self.hopeless(id, ticket).is_none();
        if !is_simple {
            return None;
        }
        if tenant.queued() >= self.rules.key_places {
            let evicts = tenant.evictable_by(claim.priority).is_some();
            return (!evicts).then(|| Decision::Refused(self.no_place(id, Bound::Key)));
        }
        let deadline = now.saturating_add(self.rules.patience(ticket));
        let Claim { weight, priority } = claim;
        let waiter = self.line.join(id, weight, priority, now, deadline);
        Some(Decision::Queued(waiter))
    }

    /// Decides about an arrival; `may_wait` says whether it would join the line.
    pub(super) fn arrive(&mut self, id: u32, ticket: Ticket, may_wait: bool, now: u64) -> Decision {
        let claim = Claim::new(&self.rules, ticket);
        if let Some(refusal) = self.hopeless(id, ticket) {
            return Decision::Refused(refusal);
        }
        if self.admit(id, claim, now) {
            return Decision::Admitted;
        }
        let may_wait = may_wait && self.rules.has_line();
        if (may_wait || self.may_clear(id, claim))
            && self.refuse_late(id, now)
            && self.admit(id, claim, now)
        {
            return Decision::Admitted;
        }
        if !may_wait {
            return Decision::Refused(self.no_room(id, claim));
        }
        if let Some(bound) = self.full(id) {
            let Some(evicted) = self.line.tenant(id).evictable_by(claim.priority) else {
                return Decision::Refused(self.no_place(id, bound));
            };
            self.refuse(evicted, Reason::QueueEvicted, bound, now);
        }
        let deadline = now.saturating_add(self.rules.patience(ticket));
        self.join(id, claim, now, deadline)
    }

    /// Lets an arrival in that would be next and fits both bounds.
    fn admit(&mut self, id: u32, claim: Claim, now: u64) -> bool {
        let tenant = self.line.tenant(id);
        let admitted = tenant.is_ahead(claim.priority)
            && tenant.account.fits(claim.weight)
            && self.room.fits(claim.weight)
            && self.line.would_lead(id);
        if admitted {
            self.take(id, claim.weight);
            self.settle(id, now);
            self.grant(now);
        }
        admitted
    }

    /// Takes the last place of its priority in the key's line. Whoever was next
    /// before may have held others up for whom there is room; now that this one
    /// is next instead there may even be room for it.
    fn join(&mut self, id: u32, claim: Claim, now: u64, deadline: u64) -> Decision {
        let Claim { weight, priority } = claim;
        let waiter = self.line.join(id, weight, priority, now, deadline);
        self.settle(id, now);
        self.grant(now);
        let decision = match self.line.waiting(waiter).stage {
            Stage::Queued(_) => return Decision::Queued(waiter),
            Stage::Granted { .. } => Decision::Admitted,
            // It has no time at all.
            Stage::Refused(refusal) => Decision::Refused(refusal),
        };
        self.line.forget(waiter);
        decision
    }

    /// Whether it could help a call that does not wait if others left the line:
    /// not if it is the only one of a key that is full.
    fn may_clear(&self, id: u32, claim: Claim) -> bool {
        let tenant = self.line.tenant(id);
        tenant.head().is_some() || tenant.account.fits(claim.weight)
    }

    /// Lets those go whose time has come, of a line that is full; whether there
    /// were any.
    fn refuse_late(&mut self, id: u32, now: u64) -> bool {
        let before = self.line.queued();
        if self.line.tenant(id).queued() >= self.rules.key_places {
            while let Some(late) = self.line.tenant(id).late(now) {
                self.time_out(late, id, now);
            }
            self.settle(id, now);
        }
        if self.line.queued() >= self.rules.places {
            while let Some(late) = self.line.late(now) {
                let id = self.line.waiting(late).place().tenant;
                self.time_out(late, id, now);
                self.settle(id, now);
            }
        }
        self.grant(now);
        self.line.queued() < before
    }

    fn is_next_late(&self, now: u64) -> bool {
        let next = self.line.first();
        let head = next.and_then(|first| self.line.tenant(first).head());
        head.is_some_and(|(_, head)| now >= head.deadline)
    }
}
