use inflight_core::{Fairness, KeyedHost};

use crate::gate::Key;
use crate::model::Name;
use crate::situation::Situation;
use crate::world::World;

impl World {
    /// Compares all that can be seen of the gate and of its model.
    pub(crate) fn check(&mut self) {
        self.note_answers();
        self.check_wakes();
        self.check_total();
        self.check_keys();
        self.check_top();
        self.check_order();
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
            expected.extend(waiting.wakers.last().map(|waker| waker.number));
        }
        let is_drained = self.is_drained();
        for watching in &mut self.watchers {
            if is_drained && !watching.is_over {
                watching.is_over = true;
                expected.push(watching.waker.number);
                self.seen.push(Situation::DrainedWhileWatched);
            }
        }
        let mut woken = self.wakes.take();
        if !self.watchers.is_empty() {
            // In which order several watchers are woken is not said.
            woken.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!(woken, expected, "who is woken");
    }

    fn check_total(&self) {
        let (model, snapshot) = (&self.model, self.gate.gate().snapshot());
        let (total, limit) = (snapshot.total, model.options.limit.get());
        assert_eq!(total.limit, limit);
        assert_eq!(total.max_limit, model.max_limit().get());
        assert_eq!(total.in_flight, model.in_flight);
        assert_eq!(total.available, limit.saturating_sub(model.in_flight));
        assert_eq!(total.queued, model.line.len());
        assert_eq!(snapshot.keys, model.own_keys());
        assert_eq!(snapshot.max_keys, model.options.max_keys);
        assert_eq!(self.gate.gate().is_closed(), model.closed);
    }

    fn check_keys(&self) {
        for key in (0..6).map(Key) {
            let name = Name::Own(key);
            let seen = self.gate.gate().key(&key);
            let seen = seen.map(|key| (key.limit, key.in_flight, key.queued));
            let known = self.model.keys.get(&name);
            let known = known.map(|key| (key.limit, key.in_flight, self.model.queued(name)));
            assert_eq!(seen, known, "{key:?}");
        }
    }

    fn check_top(&self) {
        let top = self.gate.gate().top(3);
        let loads: Vec<_> = top
            .iter()
            .map(|load| load.numbers.in_flight + load.numbers.queued)
            .collect();
        let keys = self.model.keys.iter();
        let mut expected: Vec<_> = keys
            .map(|(name, account)| account.in_flight + self.model.queued(*name))
            .collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        expected.truncate(3);
        assert_eq!(loads, expected);
        for load in top {
            let name = load.key.map_or(Name::Shared, Name::Own);
            assert_eq!(load.numbers.in_flight, self.model.keys[&name].in_flight);
        }
    }

    /// Nobody waits for whom both bounds have room, unless another is before it.
    fn check_order(&self) {
        let model = &self.model;
        if model.options.fairness == Fairness::Arrival {
            let waits_for_the_total = |name: &Name| {
                let mut line = model.line.iter();
                let waits = line.any(|caller| caller.name == *name);
                waits && !model.is_blocked(*name)
            };
            assert!(model.in_flight > 0 || !model.keys.keys().any(waits_for_the_total));
        }
        let has_room = model.fits(1)
            && model.in_flight < model.options.limit.get()
            && self.watchers.iter().all(|watching| watching.is_over)
            && !model.closed
            && model
                .keys
                .keys()
                .all(|name| model.queued(*name) == 0 || model.is_blocked(*name));
        assert_eq!(self.gate.gate().has_room(), has_room);
    }
}
