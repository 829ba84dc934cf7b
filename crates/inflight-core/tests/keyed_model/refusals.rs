use std::time::Duration;

use inflight_core::Reason;

use crate::account::Name;
use crate::harness::answer::{Answer, Facts};
use crate::harness::caller::Caller;
use crate::model::KeyedModel;

/// Who is refused, and what they are told.
impl KeyedModel {
    /// All of the key's line, then all of the whole line, where there is no
    /// place left; whether there were any.
    pub(crate) fn refuse_late(&mut self, name: Name, now: u64) -> bool {
        let before = self.total.line.len();
        if self.queued(name) >= self.setup.options.key_queue_limit {
            while let Some(late) = self.soonest_late(now, |caller| caller.name == name) {
                self.time_out(late, now);
            }
            self.settle(name, now);
        }
        if self.total.line.len() >= self.total.options.queue_limit {
            while let Some(late) = self.soonest_late(now, |_| true) {
                let name = self.total.line[late].name;
                self.time_out(late, now);
                self.settle(name, now);
            }
        }
        self.grant(now);
        self.total.line.len() < before
    }

    fn soonest_late(&self, now: u64, is_meant: impl Fn(&Caller<Name>) -> bool) -> Option<usize> {
        let late =
            |at: &usize| is_meant(&self.total.line[*at]) && self.total.line[*at].is_late(now);
        (0..self.total.line.len())
            .filter(late)
            .min_by_key(|at| self.total.line[*at].deadline)
    }

    pub(crate) fn time_out(&mut self, at: usize, now: u64) {
        let name = self.total.line[at].name;
        let of_key = self.is_blocked(name).then_some(name);
        self.refuse(at, Reason::QueueTimeout, of_key, now);
    }

    pub(crate) fn refuse(&mut self, at: usize, reason: Reason, of_key: Option<Name>, now: u64) {
        let caller = self.total.line.remove(at);
        let answer = self.refused(reason, of_key, now.saturating_sub(caller.since));
        self.total.answers.push((caller, answer));
    }

    pub(crate) fn refused(&self, reason: Reason, of_key: Option<Name>, waited: u64) -> Answer {
        let Some(name) = of_key else {
            return self.total.refused(reason, waited);
        };
        let account = self.keys[&name];
        Answer::Refused(Facts {
            reason,
            of_key: true,
            limit: account.limit,
            in_flight: account.in_flight,
            queued: self.queued(name),
            waited: Duration::from_nanos(waited),
        })
    }

    pub(crate) fn refused_as_one_too_many(&self) -> Answer {
        Answer::Refused(Facts {
            reason: Reason::TooManyKeys,
            of_key: false,
            limit: self.setup.options.max_keys,
            in_flight: self.setup.options.max_keys,
            queued: 0,
            waited: Duration::ZERO,
        })
    }
}
