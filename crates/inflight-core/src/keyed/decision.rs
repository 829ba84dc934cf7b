use super::refusals::Bound;
use super::rules::Rules;
use super::state::State;
use super::waiting::{Since, Stage};
use crate::ticket::NO_DEADLINE;
use crate::{Reason, Refusal, Ticket};

/// What an arrival is told that came to the line.
pub(super) enum Decision {
    Admitted,
    Queued(u32),
    Refused(Refusal),
}

/// What an arrival asks for.
pub(super) struct Claim {
    pub(super) weight: u32,
    pub(super) priority: i32,
    pub(super) since: Since,
    pub(super) deadline: u64,
}

impl Claim {
    fn new(rules: &Rules, ticket: Ticket, now: u64) -> Self {
        let deadline = now.saturating_add(rules.patience(ticket));
        Self {
            weight: ticket.weight(),
            priority: rules.priority(ticket),
            // One that no time will end is as one without a deadline.
            since: if rules.measure_waits || deadline != NO_DEADLINE {
                Since::new(now)
            } else {
                Since::UNMEASURED
            },
            deadline,
        }
    }
}

/// What becomes of those who come.
impl State {
    /// Decides about an arrival of a key whose own limit is what its next
    /// caller waits for, and behind whom this one has to stand: the total has
    /// no part in it, and may go on meanwhile. `None` if it is not that simple.
    pub(super) fn stand_behind(
        &mut self,
        id: u32,
        ticket: Ticket,
        may_wait: bool,
        now: u64,
    ) -> Option<Decision> {
        if !may_wait || !self.rules.has_line() {
            return None;
        }
        let claim = Claim::new(&self.rules, ticket, now);
        let members = &self.line.tenant(id).members;
        let is_simple = !members.is_ahead(claim.priority)
            && self.line.is_blocked(id)
            && self.line.late_of(id, now).is_none()
            && !self.is_next_late(now)
            && self.line.queued() < self.rules.places
            && self.hopeless(id, ticket).is_none();
        if !is_simple {
            return None;
        }
        if members.len() >= self.rules.key_places {
            let evicts = members.evictable_by(claim.priority).is_some();
            return (!evicts).then(|| Decision::Refused(self.no_place(id, Bound::Key)));
        }
        Some(Decision::Queued(self.line.join(id, &claim)))
    }

    /// Decides about an arrival; `may_wait` says whether it would join the line.
    pub(super) fn arrive(&mut self, id: u32, ticket: Ticket, may_wait: bool, now: u64) -> Decision {
        let claim = Claim::new(&self.rules, ticket, now);
        if let Some(refusal) = self.hopeless(id, ticket) {
            return Decision::Refused(refusal);
        }
        if self.admit(id, &claim, now) {
            return Decision::Admitted;
        }
        let may_wait = may_wait && self.rules.has_line();
        if (may_wait || self.may_clear(id, &claim))
            && self.refuse_late(id, now)
            && self.admit(id, &claim, now)
        {
            return Decision::Admitted;
        }
        if !may_wait {
            return Decision::Refused(self.no_room(id, &claim));
        }
        if let Some(bound) = self.full(id) {
            let members = &self.line.tenant(id).members;
            let Some(evicted) = members.evictable_by(claim.priority) else {
                return Decision::Refused(self.no_place(id, bound));
            };
            self.refuse(evicted, Reason::QueueEvicted, bound, now);
        }
        self.join(id, &claim, now)
    }

    /// Lets an arrival in that would be next and fits both bounds.
    fn admit(&mut self, id: u32, claim: &Claim, now: u64) -> bool {
        let tenant = self.line.tenant(id);
        let admitted = tenant.members.is_ahead(claim.priority)
            && tenant.account.fits(claim.weight)
            && self.room.fits(claim.weight.into())
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
    fn join(&mut self, id: u32, claim: &Claim, now: u64) -> Decision {
        let waiter = self.line.join(id, claim);
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
    fn may_clear(&self, id: u32, claim: &Claim) -> bool {
        let tenant = self.line.tenant(id);
        !tenant.is_empty() || tenant.account.fits(claim.weight)
    }

    /// Lets those go whose time has come, of a line that is full; whether there
    /// were any.
    fn refuse_late(&mut self, id: u32, now: u64) -> bool {
        let before = self.line.queued();
        if self.line.tenant(id).members.len() >= self.rules.key_places {
            while let Some(late) = self.line.late_of(id, now) {
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
        let head = next.and_then(|first| self.line.head(first));
        head.is_some_and(|(_, head)| now >= head.deadline)
    }
}
