use super::Gate;
use super::timing::{is_before, now, timely};
use crate::room::Room;
use crate::state::{NeedsClock, Verdict};
use crate::threshold::Threshold;
use crate::word::{State as Mark, Word};
use crate::{Host, PackedRefusal, Reason, Refusal, Ticket};

/// What an arrival is told without the lock.
pub(crate) enum Entry {
    Admitted,
    Refused(PackedRefusal),
    /// It takes the lock to know.
    Undecided,
}

impl Gate {
    /// Admits without the lock, if there is room.
    #[inline]
    pub(crate) fn try_admit(&self, ticket: Ticket) -> bool {
        ticket.max_wait_nanos() != 0 && self.word.try_admit(ticket.weight().into()).is_ok()
    }

    /// Decides about an arrival that would wait, if that takes no lock.
    #[inline]
    pub(crate) fn try_enter(&self, host: &impl Host, ticket: Ticket) -> Entry {
        if ticket.max_wait_nanos() == 0 {
            return Entry::Undecided;
        }
        let weight = ticket.weight().into();
        match self.word.try_admit(weight) {
            Ok(()) => Entry::Admitted,
            Err(word) => {
                let stays_full = || self.stays_full(host, ticket);
                let refused = self.rules.refuse(word, weight, stays_full);
                refused.map_or(Entry::Undecided, Entry::Refused)
            }
        }
    }

    /// Whether nobody leaves a full line to an arrival.
    #[inline]
    fn stays_full(&self, host: &impl Host, ticket: Ticket) -> bool {
        match self.threshold.load() {
            Threshold::SHUT => true,
            threshold if self.rules.by_priority => Threshold::rank(ticket.priority()) < threshold,
            Threshold::OPEN => false,
            soonest => is_before(host, soonest),
        }
    }

    /// Decides about an arrival that [`try_enter`](Self::try_enter) left undecided.
    #[inline]
    pub(crate) fn arrive(&self, host: &impl Host, ticket: Ticket, may_wait: bool) -> Verdict {
        let weight = u64::from(ticket.weight());
        let now = loop {
            let word = self.word.load();
            match word.state() {
                // The lock's holder says whether it is worth a reading.
                _ if ticket.max_wait_nanos() == 0 => break None,
                Mark::Free if self.may_pass(word, weight) => {
                    if self.word.admit_from(word, weight).is_ok() {
                        return Verdict::Admitted;
                    }
                }
                Mark::Free if self.rules.queue_limit == 0 || !may_wait => {
                    return self.refuse(Reason::LimitReached, word, weight);
                }
                Mark::Free | Mark::Line if may_wait && self.rules.measures(ticket) => {
                    break Some(now(host));
                }
                _ => break None,
            }
        };
        timely(host, now, |now| self.arrive_in_turn(ticket, may_wait, now))
    }

    #[inline]
    fn arrive_in_turn(
        &self,
        ticket: Ticket,
        may_wait: bool,
        now: Option<u64>,
    ) -> Result<Verdict, NeedsClock> {
        let mut turn = self.begin();
        let verdict = turn.arrive(ticket, may_wait, now);
        if let Ok(Verdict::Queued(key)) = verdict {
            self.grants.reserve(key);
        }
        turn.end();
        verdict
    }

    /// Whether nobody waits and there is room, if only to run alone.
    fn may_pass(&self, word: Word, weight: u64) -> bool {
        Room::new(word).fits(weight) && weight <= self.rules.heaviest(word.limit())
    }

    fn refuse(&self, reason: Reason, word: Word, weight: u64) -> Verdict {
        let too_heavy = weight > self.rules.heaviest(word.limit());
        let reason = if too_heavy { Reason::TooHeavy } else { reason };
        Verdict::Refused(Refusal::new(reason, word, 0))
    }
}
