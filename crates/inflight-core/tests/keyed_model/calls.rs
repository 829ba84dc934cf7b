use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use inflight_core::{KeyedArrival, KeyedHost, KeyedWait, Ticket};

use crate::answer::Answer;
use crate::caller::Caller;
use crate::gate::Key;
use crate::model::Name;
use crate::situation::Situation;
use crate::waiting::{Running, Waiting};
use crate::world::{World, pick};

/// What callers do.
impl World {
    pub(crate) fn arrive(&mut self, key: Key, ticket: Ticket, waits: bool) {
        let id = self.arrivals;
        self.arrivals += 1;
        let queued = self.model.line.len();
        let name = self.name(key);
        let expected = self.model.arrive(id, key, ticket, waits, self.now());
        let arrival = if waits {
            self.gate.arrive(key, ticket)
        } else {
            match self.gate.try_arrive(key, ticket) {
                Ok(permit) => KeyedArrival::Admitted(permit),
                Err(refusal) => KeyedArrival::Refused(refusal),
            }
        };
        assert_eq!(
            Answer::from(&arrival),
            expected,
            "told to {key:?} {ticket:?}"
        );
        self.note_arrival(name, queued, expected);
        match arrival {
            KeyedArrival::Admitted(permit) => self.running.push(Running { name, permit }),
            KeyedArrival::Queued(waiter) => self.waiters.push(Waiting {
                caller: *self.model.line.last().expect("it joined the line"),
                waiter,
                wakers: Vec::new(),
                answer: None,
            }),
            KeyedArrival::Refused(refusal) => {
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
        let caller = waiting.caller;
        let expected = match waiting.answer {
            Some(answer) => answer,
            None => self.expect_wait(caller),
        };
        let wait = waiting.waiter.poll(&waker.waker);
        assert_eq!(Answer::from(&wait), expected, "told to {caller:?}");
        match wait {
            KeyedWait::Admitted { permit, since } => {
                assert_eq!(since, caller.since);
                let name = caller.name;
                self.running.push(Running { name, permit });
            }
            KeyedWait::Refused(_) => {}
            KeyedWait::Pending { deadline } => {
                assert_eq!(deadline, caller.deadline);
                waiting.wakers.push(waker);
                self.waiters.push(waiting);
            }
        }
    }

    /// What one is told who has had no answer yet.
    fn expect_wait(&mut self, caller: Caller) -> Answer {
        let now = self.now();
        if !caller.is_late(now) {
            return Answer::Queued;
        }
        self.seen.push(Situation::ExpiredByItself);
        self.model.expire(self.place(caller.id), now);
        let (of_it, others) = std::mem::take(&mut self.model.answers)
            .into_iter()
            .partition(|(other, _)| other.id == caller.id);
        self.model.answers = others;
        let answers: Vec<(Caller, Answer)> = of_it;
        answers.first().expect("it was just refused").1
    }

    pub(crate) fn cancel(&mut self, index: usize) {
        let Some(waiting) = pick(&mut self.waiters, index) else {
            return;
        };
        match waiting.answer {
            Some(Answer::Granted(weight)) => {
                self.seen.push(Situation::GrantDropped);
                self.model.release(waiting.caller.name, weight, self.now());
            }
            Some(_) => self.seen.push(Situation::RefusalDropped),
            None => self.model.leave(self.place(waiting.caller.id), self.now()),
        }
        drop(waiting.waiter);
    }

    pub(crate) fn finish(&mut self, index: usize, panics: bool) {
        let Some(Running { name, permit }) = pick(&mut self.running, index) else {
            return;
        };
        self.model
            .release(name, permit.weight() as usize, self.now());
        let crossed = |(caller, _): &(Caller, Answer)| caller.name != name;
        if self.model.answers.iter().any(crossed) {
            self.seen.push(Situation::GrantedAcrossKeys);
        }
        if panics {
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let _permit = permit;
                resume_unwind(Box::new("the work panics"));
            }));
            assert!(outcome.is_err());
        }
    }

    /// What a call under `key` counts under now.
    fn name(&self, key: Key) -> Name {
        let own = Name::Own(key);
        let model = &self.model;
        if model.keys.contains_key(&own) || model.own_keys() < model.options.max_keys {
            own
        } else {
            Name::Shared
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
