use super::Gate;
use super::timing::{is_before, now, timely};
use crate::room::Room;
use crate::state::{NeedsClock, Verdict};
use crate::threshold::Threshold;
use crate::word::{State as Mark, Word};
use crate::{Host, PackedRefusal, Reason, Refusal, Ticket};

impl Gate {
    /// Admits without the lock, or says with which word it could not.
    #[inline]
    pub(crate) fn try_admit(&self, weight: u64) -> Result<(), Word> {
        self.word.try_admit(weight)
    }

    /// Refuses without the lock an arrival that did not fit, if `word` and the
    /// threshold say enough.
    #[inline]
    pub(crate) fn try_refuse(
        &self,
        host: &impl Host,
        word: Word,
        ticket: Ticket,
    ) -> Option<PackedRefusal> {
        let stays_full = || self.stays_full(host, ticket);
        self.rules.refuse(word, ticket.weight().into(), stays_full)
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

    /// Decides about an arrival that [`try_admit`](Self::try_admit) did not let in.
    #[cold]
    #[inline(never)]
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

    #[inline(never)]
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
