use std::time::Duration;

use inflight_core::KeyedHost;

use crate::gate::{Gate, Key, build};
use crate::model::Model;
use crate::setup::Setup;
use crate::situation::Situation;
use crate::step::Step;
use crate::waiting::{Running, Waiting, Watching};
use crate::wakes::Wakes;

/// A keyed gate and its model, to which the same things happen.
pub(crate) struct World {
    pub(crate) gate: Gate,
    pub(crate) model: Model,
    pub(crate) waiters: Vec<Waiting>,
    pub(crate) running: Vec<Running>,
    pub(crate) watchers: Vec<Watching>,
    pub(crate) wakes: Wakes,
    pub(crate) arrivals: usize,
    pub(crate) seen: Vec<Situation>,
}

impl World {
    /// Takes the steps, lets everything end, and says what was seen.
    pub(crate) fn run(setup: &Setup, steps: Vec<Step>) -> Vec<Situation> {
        let mut world = Self::new(setup);
        world.check();
        for step in steps {
            world.take(step);
            world.check();
        }
        world.end();
        world.seen
    }

    fn new(setup: &Setup) -> Self {
        let gate = build(setup);
        gate.clock().set(setup.start);
        Self {
            gate,
            model: Model::new(setup.options, setup.odd),
            waiters: Vec::new(),
            running: Vec::new(),
            watchers: Vec::new(),
            wakes: Wakes::default(),
            arrivals: 0,
            seen: Vec::new(),
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Arrive { key, ticket, waits } => self.arrive(key, ticket, waits),
            Step::Poll { waiter, new_waker } => self.poll(waiter, new_waker),
            Step::Cancel { waiter } => self.cancel(waiter),
            Step::Finish { permit, panics } => self.finish(permit, panics),
            Step::Advance { by } => self.gate.clock().advance(Duration::from_nanos(by)),
            Step::Rewind { by } => self.gate.clock().rewind(Duration::from_nanos(by)),
            Step::Approach { waiter, offset } => self.approach(waiter, offset),
            Step::SetLimit { limit } => {
                self.model.set_limit(limit, self.now());
                self.gate.set_limit(limit);
            }
            Step::SetKeyLimit { key, limit } => {
                let known = self.model.set_key_limit(key, limit, self.now());
                assert_eq!(self.gate.set_key_limit(&key, limit), known);
                if known && !self.model.answers.is_empty() {
                    self.seen.push(Situation::KeyLimitChanged);
                }
            }
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
        assert!(self.is_drained());
        assert!(self.watchers.iter().all(|watching| watching.is_over));
        assert_eq!(self.gate.gate().top(1), Vec::new());
        assert_eq!(self.gate.gate().key(&Key(0)), None);
    }

    fn approach(&mut self, index: usize, offset: i64) {
        let deadlines: Vec<u64> = self
            .model
            .line
            .iter()
            .filter_map(|caller| caller.deadline)
            .collect();
        if !deadlines.is_empty() {
            let deadline = deadlines[index % deadlines.len()];
            self.gate
                .clock()
                .set(deadline.saturating_add_signed(offset));
        }
    }

    /// Whether nothing is in flight and nobody waits.
    pub(crate) fn is_drained(&self) -> bool {
        self.model.in_flight == 0 && self.model.line.is_empty()
    }

    /// As the gate counts: the last nanosecond of the clock never comes.
    pub(crate) fn now(&self) -> u64 {
        self.gate.now().min(u64::MAX - 1)
    }
}

/// Takes one out, counting round those that there are.
pub(crate) fn pick<T>(all: &mut Vec<T>, index: usize) -> Option<T> {
    (!all.is_empty()).then(|| all.remove(index % all.len()))
}
