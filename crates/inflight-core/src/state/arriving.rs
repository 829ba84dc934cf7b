use super::{NeedsClock, State, UNKNOWN};
use crate::line::Key;
use crate::ticket::NO_DEADLINE;
use crate::{Reason, Refusal, Ticket};

/// What an arrival is told.
pub(crate) enum Verdict {
    Admitted,
    Queued(Key),
    Refused(Refusal),
}

/// What an arrival decides.
impl State {
    /// Decides about an arrival; `may_wait` says whether it would join the line.
    #[inline]
    pub(crate) fn arrive(
        &mut self,
        ticket: Ticket,
        may_wait: bool,
        now: Option<u64>,
    ) -> Result<Verdict, NeedsClock> {
        let weight = u64::from(ticket.weight());
        let priority = self.priority(ticket);
        if let Some(reason) = self.hopeless(ticket) {
            return Ok(self.refused(reason));
        }
        if self.admit(priority, weight) {
            return Ok(Verdict::Admitted);
        }
        if self.is_full() && self.line.is_timed() {
            self.refuse_expired(now.ok_or(NeedsClock)?);
            if self.admit(priority, weight) {
                return Ok(Verdict::Admitted);
            }
        }
        if self.rules.queue_limit == 0 || !may_wait {
            return Ok(self.refused(Reason::LimitReached));
        }
        let evicted = if self.is_full() {
            let evicted = self.evictable_by(priority);
            if evicted.is_none() {
                return Ok(self.refused(Reason::QueueFull));
            }
            evicted
        } else {
            None
        };
        let since = self.since(ticket, now)?;
        if let Some(evicted) = evicted {
            self.evict(evicted, now)?;
        }
        let deadline = since.saturating_add(self.rules.patience(ticket));
        // One that no time will end is as one without a deadline.
        let is_measured = self.rules.measure_waits || deadline != NO_DEADLINE;
        let since = if is_measured { since } else { UNKNOWN };
        let key = self.line.join(priority, ticket.weight(), since, deadline);
        Ok(Verdict::Queued(key))
    }

    /// Why no amount of waiting would help.
    #[inline]
    fn hopeless(&self, ticket: Ticket) -> Option<Reason> {
        if self.closed {
            Some(Reason::Closed)
        } else if u64::from(ticket.weight()) > self.rules.heaviest(self.room.limit) {
            Some(Reason::TooHeavy)
        } else if ticket.max_wait_nanos() == 0 {
            Some(Reason::QueueTimeout)
        } else {
            None
        }
    }

    #[inline]
    fn admit(&mut self, priority: i32, weight: u64) -> bool {
        let admitted = self.room.fits(weight) && self.line.is_ahead(priority);
        if admitted {
            self.room.in_flight += weight;
        }
        admitted
    }

    /// Who would make way for `priority`.
    #[inline]
    fn evictable_by(&self, priority: i32) -> Option<Key> {
        let (lowest, newest) = self.line.newest_of_lowest()?;
        (priority > lowest).then_some(newest)
    }

    /// Since when one that joins the line now is said to wait.
    #[inline]
    fn since(&self, ticket: Ticket, now: Option<u64>) -> Result<u64, NeedsClock> {
        if self.rules.measures(ticket) {
            now.ok_or(NeedsClock)
        } else {
            Ok(UNKNOWN)
        }
    }

    fn evict(&mut self, key: Key, now: Option<u64>) -> Result<(), NeedsClock> {
        let now = match self.line.since(key) {
            UNKNOWN => 0,
            _ => now.ok_or(NeedsClock)?,
        };
        self.refuse(key, Reason::QueueEvicted, now);
        Ok(())
    }

    #[inline]
    fn priority(&self, ticket: Ticket) -> i32 {
        if self.rules.by_priority {
            ticket.priority()
        } else {
            0
        }
    }

    fn refused(&self, reason: Reason) -> Verdict {
        Verdict::Refused(self.refusal(reason))
    }
}
