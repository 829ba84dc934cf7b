use inflight_core::{Fairness, KeyedHost};

use crate::account::Name;
use crate::gate::Key;
use crate::harness::model::Model;
use crate::harness::world::World;
use crate::model::KeyedModel;

/// What only a keyed gate shows.
impl World<KeyedModel> {
    pub(crate) fn check_keys(&self) {
        let snapshot = self.gate.gate().snapshot();
        assert_eq!(snapshot.keys, self.model.own_keys());
        assert_eq!(snapshot.max_keys, self.model.setup.options.max_keys);
        for key in (0..6).map(Key) {
            let name = Name::Own(key);
            let seen = self.gate.gate().key(&key);
            let seen = seen.map(|key| (key.limit, key.in_flight, key.queued));
            let known = self.model.keys.get(&name);
            let known = known.map(|key| (key.limit, key.in_flight, self.model.queued(name)));
            assert_eq!(seen, known, "{key:?}");
        }
    }

    pub(crate) fn check_top(&self) {
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

    /// Nobody waits for the total while nothing runs.
    pub(crate) fn check_order(&self) {
        let model = &self.model;
        if model.setup.options.fairness == Fairness::Arrival {
            assert!(model.total.in_flight > 0 || !model.is_waited_for());
        }
    }

    pub(crate) fn note_keys(&mut self) {
        let keys = &self.model.keys;
        let is_above = keys
            .values()
            .any(|account| account.in_flight > account.limit);
        let is_shared = keys.contains_key(&Name::Shared);
        if is_above {
            self.note("a key is above its limit");
        }
        if is_shared {
            self.note("some share what is for too many keys");
        }
    }
}
