use std::time::Duration;

use inflight_core::Limit;

use super::gate::Gate;
use super::model::{KeyOf, Model};
use super::step::Step;
use super::tally::Tally;
use super::waiting::{Running, Waiting, Watching};
use super::wakes::Wakes;

/// A gate and its model, to which the same things happen.
pub(crate) struct World<M: Model> {
    pub(crate) gate: M::Gate,
    pub(crate) model: M,
    pub(crate) waiters: Vec<Waiting<M>>,
    pub(crate) running: Vec<Running<M>>,
    pub(crate) watchers: Vec<Watching>,
    pub(crate) wakes: Wakes,
    pub(crate) tally: Tally,
    /// The situations, in words.
    pub(crate) seen: Vec<String>,
}

impl<M: Model> World<M> {
    /// Takes the steps, lets everything end, and says what was seen.
    pub(crate) fn run(options: &M::Options, start: u64, steps: Vec<Step<KeyOf<M>>>) -> Vec<String> {
        let (gate, model) = M::build(options);
        gate.clock().set(start);
        let mut world = Self {
            gate,
            model,
            waiters: Vec::new(),
            running: Vec::new(),
            watchers: Vec::new(),
            wakes: Wakes::default(),
            tally: Tally::default(),
            seen: Vec::new(),
        };
        world.check();
        for step in steps {
            world.take(step);
            world.check();
        }
        world.end();
        world.seen
    }

    fn take(&mut self, step: Step<KeyOf<M>>) {
        match step {
            Step::Arrive { key, ticket, waits } => self.arrive(key, ticket, waits),
            Step::Poll { waiter, new_waker } => self.poll(waiter, new_waker),
            Step::Cancel { waiter } => self.cancel(waiter),
            Step::Finish { permit, panics } => self.finish(permit, panics),
            Step::Advance { by } => self.gate.clock().advance(Duration::from_nanos(by)),
            Step::Rewind { by } => self.gate.clock().rewind(Duration::from_nanos(by)),
            Step::Approach { waiter, offset } => self.approach(waiter, offset),
            Step::SetLimit { of, limit } => self.set_limit(of, limit),
            Step::Close => {
                self.model.close(self.now());
                self.gate.close();
            }
            Step::Watch => self.watch(),
            Step::PollWatcher { watcher } => self.poll_watcher(watcher),
            Step::Unwatch { watcher } => drop(pick(&mut self.watchers, watcher)),
        }
    }

    fn end(&mut self) {
        while !self.waiters.is_empty() {
            self.cancel(0);
            self.check();
        }
        while !self.running.is_empty() {
            self.finish(0, false);
            self.check();
        }
        assert!(self.model.books().is_drained());
        assert!(self.watchers.iter().all(|watching| watching.is_over));
        assert_eq!(self.tally.arrived, self.tally.told());
    }

    fn approach(&mut self, index: usize, offset: i64) {
        let line = self.model.books().line.iter();
        let mut deadlines: Vec<u64> = line.filter_map(|caller| caller.deadline).collect();
        if let Some(deadline) = pick(&mut deadlines, index) {
            let then = deadline.saturating_add_signed(offset);
            self.gate.clock().set(then);
        }
    }

    fn set_limit(&mut self, of: Option<KeyOf<M>>, limit: Limit) {
        let known = self.model.set_limit(of, limit, self.now());
        assert_eq!(self.gate.set_limit(of, limit), known);
        if of.is_some() && !self.model.books().answers.is_empty() {
            self.note("the limit of a key lets others in");
        }
    }

    /// As the gate counts: the last nanosecond of the clock never comes.
    pub(crate) fn now(&self) -> u64 {
        self.gate.clock().now().min(u64::MAX - 1)
    }
}

/// Takes one out, counting round those that there are.
pub(crate) fn pick<T>(all: &mut Vec<T>, index: usize) -> Option<T> {
    (!all.is_empty()).then(|| all.remove(index % all.len()))
}
