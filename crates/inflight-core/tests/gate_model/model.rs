use std::time::Duration;

use inflight_core::{GateOptions, Limit, Reason, Ticket};

use crate::answer::Answer;
use crate::caller::Caller;

/// What a gate should do, with one list in order of arrival; the limit of the
/// options is the one in force.
pub(crate) struct Model {
    pub(crate) options: GateOptions,
    pub(crate) in_flight: usize,
    pub(crate) closed: bool,
    pub(crate) line: Vec<Caller>,
    /// Of the line, in the order in which it was decided.
    pub(crate) answers: Vec<(Caller, Answer)>,
}

impl Model {
    pub(crate) fn arrive(&mut self, id: usize, ticket: Ticket, waits: bool, now: u64) -> Answer {
        let caller = Caller::new(id, ticket, &self.options, now);
        let places = self.options.queue_limit;
        if self.closed {
            return Answer::refused(self, Reason::Closed, 0);
        } else if caller.weight > self.max_limit().get() {
            return Answer::refused(self, Reason::TooHeavy, 0);
        } else if ticket.max_wait() == Some(Duration::ZERO) {
            return Answer::refused(self, Reason::QueueTimeout, 0);
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
            return Answer::refused(self, Reason::LimitReached, 0);
        } else if self.line.len() >= places {
            match self.newest_below(caller.priority) {
                None => return Answer::refused(self, Reason::QueueFull, 0),
                Some(at) => self.refuse(at, Reason::QueueEvicted, now),
            }
        }
        self.line.push(caller);
        Answer::Queued
    }

    pub(crate) fn release(&mut self, weight: usize, now: u64) {
        self.in_flight -= weight;
        self.settle(now);
    }

    pub(crate) fn cancel(&mut self, at: usize, now: u64) {
        let was_head = self.head() == Some(at);
        self.line.remove(at);
        if was_head {
            self.settle(now);
        }
    }

    pub(crate) fn set_limit(&mut self, limit: Limit, now: u64) {
        self.options.limit = self.options.max_limit.map_or(limit, |max| max.min(limit));
        self.settle(now);
    }

    pub(crate) fn close(&mut self, now: u64) {
        self.closed = true;
        while let Some(head) = self.head() {
            self.refuse(head, Reason::Closed, now);
        }
    }

    pub(crate) fn max_limit(&self) -> Limit {
        self.options.max_limit.unwrap_or(self.options.limit)
    }

    fn head(&self) -> Option<usize> {
        let highest = self.line.iter().map(|caller| caller.priority).max()?;
        self.line.iter().position(|one| one.priority == highest)
    }

    fn newest_below(&self, priority: i32) -> Option<usize> {
        let lowest = self.line.iter().map(|caller| caller.priority).min()?;
        let is_lowest = |caller: &Caller| caller.priority == lowest && lowest < priority;
        self.line.iter().rposition(is_lowest)
    }

    pub(crate) fn fits(&self, weight: usize) -> bool {
        self.in_flight == 0 || self.in_flight + weight <= self.options.limit.get()
    }

    fn admits(&self, caller: &Caller) -> bool {
        let passes = |other: &Caller| other.priority < caller.priority;
        self.fits(caller.weight) && self.line.iter().all(passes)
    }

    pub(crate) fn settle(&mut self, now: u64) {
        while let Some(head) = self.head() {
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

    pub(crate) fn refuse(&mut self, at: usize, reason: Reason, now: u64) {
        let caller = self.line.remove(at);
        let answer = Answer::refused(self, reason, now.saturating_sub(caller.since));
        self.answers.push((caller, answer));
    }
}
