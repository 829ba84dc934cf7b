use std::collections::BTreeMap;

use inflight_core::Host;

use crate::situation::Situation;
use crate::world::World;

impl World {
    /// Compares all that can be seen of the gate and of its model.
    pub(crate) fn check(&mut self) {
        self.note_answers();
        self.check_wakes();
        self.check_numbers();
        self.check_room();
        self.check_tally();
        self.note_line();
    }

    /// Who was answered was woken, once, with the last waker, in that order;
    /// and nobody else.
    fn check_wakes(&mut self) {
        let mut expected = Vec::new();
        for (caller, answer) in std::mem::take(&mut self.model.answers) {
            let mut waiters = self.waiters.iter_mut();
            let waiting = waiters.find(|waiting| waiting.caller.id == caller.id);
            let waiting = waiting.expect("only those are answered who wait");
            assert_eq!(waiting.answer.replace(answer), None, "answered twice");
            let (first, last) = (waiting.wakers.first(), waiting.wakers.last());
            expected.extend(last.map(|waker| waker.number));
            if first.map(|waker| waker.number) != last.map(|waker| waker.number) {
                self.seen.push(Situation::NewWakerWoken);
            }
        }
        let is_drained = self.is_drained();
        for watching in &mut self.watchers {
            if is_drained && !watching.is_over {
                watching.is_over = true;
                expected.push(watching.waker.number);
                self.seen.push(Situation::DrainedWhileWatched);
            }
        }
        assert_eq!(self.wakes.take(), expected, "who is woken");
    }

    fn check_numbers(&self) {
        let (model, snapshot) = (&self.model, self.gate.snapshot());
        let limit = model.options.limit.get();
        assert_eq!(snapshot.limit, limit);
        assert_eq!(snapshot.max_limit, model.max_limit().get());
        assert_eq!(snapshot.in_flight, model.in_flight);
        assert_eq!(snapshot.available, limit.saturating_sub(model.in_flight));
        assert_eq!(snapshot.queued, model.line.len());
        assert_eq!(self.gate.gate().is_closed(), model.closed);
        let mut queued = BTreeMap::new();
        if model.options.by_priority {
            for caller in &model.line {
                *queued.entry(caller.priority).or_insert(0) += 1;
            }
        }
        assert_eq!(self.gate.gate().queued_by_priority(), queued);
    }

    /// While anybody watches, all take the lock, and there is no telling.
    fn check_room(&self) {
        let model = &self.model;
        let has_room = model.in_flight < model.options.limit.get()
            && model.line.is_empty()
            && !model.closed
            && self.watchers.iter().all(|watching| watching.is_over);
        assert_eq!(self.gate.gate().has_room(), has_room);
    }

    fn check_tally(&self) {
        let waiters = self.waiters.iter();
        let untold = waiters.filter(|waiting| waiting.answer.is_some()).count();
        let waiting = self.gate.snapshot().queued + untold;
        assert_eq!(self.tally.arrived, self.tally.told() + waiting);
    }
}
