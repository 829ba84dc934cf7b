use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use inflight_core::{Arrival, Host, Reason, Ticket, Wait};

use crate::answer::Answer;
use crate::caller::Caller;
use crate::situation::Situation;
use crate::waiting::Waiting;
use crate::world::{World, pick};

/// What callers do.
impl World {
    pub(crate) fn arrive(&mut self, ticket: Ticket, waits: bool) {
        let id = self.tally.arrived;
        self.tally.arrived += 1;
        let expected = self.model.arrive(id, ticket, waits, self.now());
        let arrival = if waits {
            self.gate.arrive(ticket)
        } else {
            match self.gate.try_arrive(ticket) {
                Ok(permit) => Arrival::Admitted(permit),
                Err(refusal) => Arrival::Refused(refusal),
            }
        };
        assert_eq!(Answer::from(&arrival), expected, "told to {ticket:?}");
        self.note_arrival(expected);
        self.tally.count(expected);
        match arrival {
            Arrival::Admitted(permit) => self.permits.push(permit),
            Arrival::Queued(waiter) => self.waiters.push(Waiting {
                caller: *self.model.line.last().expect("it joined the line"),
                waiter,
                wakers: Vec::new(),
                answer: None,
            }),
            Arrival::Refused(refusal) => {
                let packed = refusal.pack().expect("it was refused on arrival");
                assert_eq!(packed.unpack(), refusal);
            }
        }
    }

    pub(crate) fn poll(&mut self, index: usize, new_waker: bool) {
        let Some(mut waiting) = pick(&mut self.waiters, index) else {
            return;
        };
        let waker = match waiting.wakers.last() {
            Some(last) if !new_waker => last.clone(),
            _ => self.wakes.waker(),
        };
        let expected = match waiting.answer {
            Some(answer) => answer,
            None => self.expect_wait(waiting.caller.id),
        };
        let wait = waiting.waiter.poll(&waker.waker);
        assert_eq!(
            Answer::from(&wait),
            expected,
            "told to {:?}",
            waiting.caller
        );
        self.tally.count(expected);
        match wait {
            Wait::Admitted { permit, since } => {
                assert_eq!(since.unwrap_or(u64::MAX), waiting.caller.since);
                if waiting.caller.is_late(self.now()) {
                    self.seen.push(Situation::GrantFetchedLate);
                }
                self.permits.push(permit);
            }
            Wait::Refused(_) => {}
            Wait::Pending { deadline } => {
                assert_eq!(deadline, waiting.caller.deadline);
                waiting.wakers.push(waker);
                self.waiters.push(waiting);
            }
        }
    }

    /// What one is told who has had no answer yet.
    fn expect_wait(&mut self, id: usize) -> Answer {
        let now = self.now();
        let at = self.place(id);
        if !self.model.line[at].is_late(now) {
            return Answer::Queued;
        }
        self.seen.push(Situation::ExpiredByItself);
        self.model.refuse(at, Reason::QueueTimeout, now);
        let (_, answer) = self.model.answers.pop().expect("it was just refused");
        self.model.settle(now);
        answer
    }

    pub(crate) fn cancel(&mut self, index: usize) {
        let Some(waiting) = pick(&mut self.waiters, index) else {
            return;
        };
        self.tally.cancelled += 1;
        match waiting.answer {
            Some(Answer::Granted(weight)) => {
                self.seen.push(Situation::GrantDropped);
                self.model.release(weight, self.now());
            }
            Some(_) => self.seen.push(Situation::RefusalDropped),
            None => {
                self.model.cancel(self.place(waiting.caller.id), self.now());
                if !self.model.answers.is_empty() {
                    self.seen.push(Situation::CancelledHeadUnblocks);
                }
            }
        }
        drop(waiting.waiter);
    }

    pub(crate) fn finish(&mut self, index: usize, panics: bool) {
        let Some(permit) = pick(&mut self.permits, index) else {
            return;
        };
        self.model.release(permit.weight() as usize, self.now());
        if panics {
            self.seen.push(Situation::ReleasedInUnwinding);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let _permit = permit;
                resume_unwind(Box::new("the work panics"));
            }));
            assert!(outcome.is_err());
        }
    }

    fn place(&self, id: usize) -> usize {
        let is_meant = |caller: &Caller| caller.id == id;
        self.model
            .line
            .iter()
            .position(is_meant)
            .expect("who has no answer waits")
    }
}
