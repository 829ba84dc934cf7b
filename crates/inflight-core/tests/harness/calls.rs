use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use inflight_core::Ticket;

use super::answer::Answer;
use super::gate::{Gate, Told};
use super::model::{KeyOf, Model};
use super::waiting::{Running, Waiting};
use super::world::{World, pick};

/// What callers do.
impl<M: Model> World<M> {
    pub(crate) fn arrive(&mut self, key: KeyOf<M>, ticket: Ticket, waits: bool) {
        let id = self.tally.arrived;
        self.tally.arrived += 1;
        let name = self.model.name(key);
        let expected = self.model.arrive(id, key, ticket, waits, self.now());
        let told = self.gate.arrive(key, ticket, waits);
        assert_eq!(Answer::from(&told), expected, "told to {key:?} {ticket:?}");
        self.note_arrival(expected);
        self.tally.count(expected);
        match told {
            Told::Granted { permit, .. } => self.running.push(Running { name, permit }),
            Told::Queued(waiter) => {
                let line = &self.model.books().line;
                self.waiters.push(Waiting {
                    caller: *line.last().expect("it joined the line"),
                    waiter,
                    wakers: Vec::new(),
                    answer: None,
                });
            }
            Told::Pending { .. } => unreachable!("nobody has asked again"),
            Told::Refused(refusal) => {
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
            None => self.expect_wait(caller.id),
        };
        let told = M::Gate::poll(&mut waiting.waiter, &waker.waker);
        assert_eq!(Answer::from(&told), expected, "told to {caller:?}");
        self.tally.count(expected);
        match told {
            Told::Granted { permit, since } => {
                assert_eq!(since.unwrap_or(u64::MAX), caller.since);
                if caller.is_late(self.now()) {
                    self.note("a grant is fetched late");
                }
                let name = caller.name;
                self.running.push(Running { name, permit });
            }
            Told::Queued(_) => unreachable!("it is in the line"),
            Told::Pending { deadline } => {
                assert_eq!(deadline, caller.deadline);
                waiting.wakers.push(waker);
                self.waiters.push(waiting);
            }
            Told::Refused(_) => {}
        }
    }

    /// What one is told who has had no answer yet.
    fn expect_wait(&mut self, id: usize) -> Answer {
        let (at, now) = (self.place(id), self.now());
        if !self.model.books().line[at].is_late(now) {
            return Answer::Queued;
        }
        self.note("one that is late asks");
        self.model.expire(at, now);
        let answers = &mut self.model.books_mut().answers;
        let of_it = answers.iter().position(|(caller, _)| caller.id == id);
        answers.remove(of_it.expect("it was just refused")).1
    }

    pub(crate) fn cancel(&mut self, index: usize) {
        let Some(waiting) = pick(&mut self.waiters, index) else {
            return;
        };
        let Waiting { caller, waiter, .. } = waiting;
        self.tally.cancelled += 1;
        match waiting.answer {
            Some(Answer::Granted(weight)) => {
                self.note("a grant is dropped");
                self.model.release(caller.name, weight, self.now());
            }
            Some(_) => self.note("a refusal is dropped"),
            None => {
                self.model.leave(self.place(caller.id), self.now());
                if !self.model.books().answers.is_empty() {
                    self.note("one that leaves lets others in");
                }
            }
        }
        drop(waiter);
    }

    pub(crate) fn finish(&mut self, index: usize, panics: bool) {
        let Some(Running { name, permit }) = pick(&mut self.running, index) else {
            return;
        };
        let weight = M::Gate::weight(&permit) as usize;
        self.model.release(name, weight, self.now());
        let mut answers = self.model.books().answers.iter();
        if answers.any(|(caller, _)| caller.name != name) {
            self.note("a key lets another's in");
        }
        if panics {
            self.note("a permit is dropped by a panic");
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let _permit = permit;
                resume_unwind(Box::new("the work panics"));
            }));
            assert!(outcome.is_err());
        }
    }

    fn place(&self, id: usize) -> usize {
        let mut line = self.model.books().line.iter();
        let place = line.position(|caller| caller.id == id);
        place.expect("who has no answer waits")
    }
}
