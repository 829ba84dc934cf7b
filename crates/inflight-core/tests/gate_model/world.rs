use std::time::Duration;

use inflight_core::{Host, Permit};
use inflight_test::TestGate;

use crate::model::Model;
use crate::setup::Setup;
use crate::situation::Situation;
use crate::step::Step;
use crate::tally::Tally;
use crate::waiting::{Waiting, Watching};
use crate::wakes::Wakes;

/// A gate and its model, to which the same things happen.
pub(crate) struct World {
    pub(crate) gate: TestGate,
    pub(crate) model: Model,
    pub(crate) waiters: Vec<Waiting>,
    pub(crate) permits: Vec<Permit<TestGate>>,
    pub(crate) watchers: Vec<Watching>,
    pub(crate) wakes: Wakes,
    pub(crate) tally: Tally,
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
        let gate = TestGate::new(&setup.options);
        gate.clock().set(setup.start);
        let mut model = Model {
            options: setup.options,
            in_flight: 0,
            closed: false,
            line: Vec::new(),
            answers: Vec::new(),
        };
        model.set_limit(setup.options.limit, 0);
        Self {
            gate,
            model,
            waiters: Vec::new(),
            permits: Vec::new(),
            watchers: Vec::new(),
            wakes: Wakes::default(),
            tally: Tally::default(),
            seen: Vec::new(),
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Arrive { ticket, waits } => self.arrive(ticket, waits),
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
        while !self.permits.is_empty() {
            self.finish(0, false);
            self.check();
        }
        assert!(self.is_drained());
        assert!(self.watchers.iter().all(|watching| watching.is_over));
        assert_eq!(self.tally.arrived, self.tally.told());
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
