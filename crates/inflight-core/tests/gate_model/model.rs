use std::collections::BTreeMap;
use std::time::Duration;

use inflight_core::{GateOptions, Host, Limit, Reason, Ticket};
use inflight_test::TestGate;

use crate::harness::answer::Answer;
use crate::harness::books::Books;
use crate::harness::caller::Caller;
use crate::harness::model::Model;
use crate::harness::world::World;

/// What a gate should do; it needs no more than the books.
impl Model for Books<()> {
    type Options = GateOptions;
    type Gate = TestGate;
    type Name = ();

    fn build(options: &GateOptions) -> (TestGate, Self) {
        (TestGate::new(options), Self::new(*options))
    }

    fn books(&self) -> &Self {
        self
    }

    fn books_mut(&mut self) -> &mut Self {
        self
    }

    fn name(&self, (): ()) {}

    fn arrive(&mut self, id: usize, (): (), ticket: Ticket, waits: bool, now: u64) -> Answer {
        let caller = Caller::new(id, (), ticket, &self.options, now);
        let places = self.options.queue_limit;
        if self.closed {
            return self.refused(Reason::Closed, 0);
        } else if caller.weight > self.max_limit().get() {
            return self.refused(Reason::TooHeavy, 0);
        } else if ticket.max_wait() == Some(Duration::ZERO) {
            return self.refused(Reason::QueueTimeout, 0);
        }
        if !self.admits(&caller) && self.line.len() >= places {
            while self.line.first().is_some_and(|old| old.is_late(now)) {
                self.refuse(0, Reason::QueueTimeout, now);
            }
            self.settle(now);
        }
        if self.admits(&caller) {
            self.in_flight += caller.weight;
            return Answer::Granted(caller.weight);
        } else if places == 0 || !waits {
            return self.refused(Reason::LimitReached, 0);
        } else if self.line.len() >= places {
            match self.newest_below((), caller.priority) {
                None => return self.refused(Reason::QueueFull, 0),
                Some(at) => self.refuse(at, Reason::QueueEvicted, now),
            }
        }
        self.line.push(caller);
        Answer::Queued
    }

    fn release(&mut self, (): (), weight: usize, now: u64) {
        self.in_flight -= weight;
        self.settle(now);
    }

    fn leave(&mut self, at: usize, now: u64) {
        let was_head = self.head(()) == Some(at);
        self.line.remove(at);
        if was_head {
            self.settle(now);
        }
    }

    fn expire(&mut self, at: usize, now: u64) {
        self.refuse(at, Reason::QueueTimeout, now);
        self.settle(now);
    }

    fn set_limit(&mut self, _: Option<()>, limit: Limit, now: u64) -> bool {
        self.bound(limit);
        self.settle(now);
        true
    }

    fn close(&mut self, now: u64) {
        self.closed = true;
        while let Some(head) = self.head(()) {
            self.refuse(head, Reason::Closed, now);
        }
    }

    fn is_waited_for(&self) -> bool {
        !self.line.is_empty()
    }

    fn check(world: &mut World<Self>) {
        let model = &world.model;
        let mut queued = BTreeMap::new();
        if model.options.by_priority {
            for caller in &model.line {
                *queued.entry(caller.priority).or_insert(0) += 1;
            }
        }
        assert_eq!(world.gate.gate().queued_by_priority(), queued);
    }
}

impl Books<()> {
    fn admits(&self, caller: &Caller<()>) -> bool {
        let passes = |other: &Caller<()>| other.priority < caller.priority;
        self.fits(caller.weight) && self.line.iter().all(passes)
    }

    fn settle(&mut self, now: u64) {
        while let Some(head) = self.head(()) {
            let caller = self.line[head];
            if caller.is_late(now) {
                self.refuse(head, Reason::QueueTimeout, now);
            } else if self.fits(caller.weight) {
                self.in_flight += caller.weight;
                self.line.remove(head);
                self.answers.push((caller, Answer::Granted(caller.weight)));
            } else {
                return;
            }
        }
    }

    fn refuse(&mut self, at: usize, reason: Reason, now: u64) {
        let caller = self.line.remove(at);
        let answer = self.refused(reason, now.saturating_sub(caller.since));
        self.answers.push((caller, answer));
    }
}
