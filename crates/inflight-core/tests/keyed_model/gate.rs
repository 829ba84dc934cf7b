use std::hash::{Hash, Hasher};

use inflight_core::{KeyPlan, KeyedGate};
use inflight_test::TestKeyedGate;

use crate::setup::Setup;

pub(crate) type Gate = TestKeyedGate<Key>;

/// A key of which several have the same hash.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Key(pub(crate) u8);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 % 2).hash(state);
    }
}

/// Even keys have the plan of the options, odd ones another.
pub(crate) fn build(setup: &Setup) -> Gate {
    let Setup { options, odd, .. } = *setup;
    let plan = move |key: &Key| plan(*key, options.key, odd);
    TestKeyedGate::on(KeyedGate::with_plans(&options, plan))
}

pub(crate) fn plan(key: Key, even: KeyPlan, odd: KeyPlan) -> KeyPlan {
    if key.0 % 2 == 0 { even } else { odd }
}
