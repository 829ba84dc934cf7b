use std::num::NonZeroU32;
use std::time::Duration;

use inflight_core::{Fairness, GateOptions, KeyOverflow, KeyPlan, KeyedOptions};
use proptest::option;
use proptest::prelude::*;

use crate::gate::Key;
use crate::harness::setup::{limit_of, queue_limits};

/// A keyed gate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) options: KeyedOptions,
    /// What the odd keys may have.
    pub(crate) odd: KeyPlan,
}

impl Setup {
    /// Even keys have the plan of the options, odd ones another.
    pub(crate) fn plan(&self, key: Key) -> KeyPlan {
        if key.0 % 2 == 0 {
            self.options.key
        } else {
            self.odd
        }
    }

    /// What is said of all keys together.
    pub(crate) fn of_all(&self) -> GateOptions {
        GateOptions {
            limit: self.options.limit,
            max_limit: self.options.max_limit,
            queue_limit: self.options.queue_limit,
            queue_timeout: self.options.queue_timeout,
            by_priority: self.options.by_priority,
            measure_waits: self.options.measure_waits,
        }
    }
}

pub(crate) fn setups() -> impl Strategy<Value = Setup> {
    (
        (1..6_usize, option::weighted(0.3, 1..8_usize)),
        [plans(), plans()],
        (queue_limits(), queue_limits()),
        option::weighted(0.3, 0..8_u64),
        [any::<bool>(), any::<bool>()],
        prop_oneof![Just(Fairness::Arrival), Just(Fairness::RoundRobin)],
        (max_keys(), overflows()),
    )
        .prop_map(
            |(
                (limit, max_limit),
                [key, odd],
                (queue_limit, key_queue_limit),
                timeout,
                [by_priority, measure_waits],
                fairness,
                (max_keys, overflow),
            )| {
                let options = KeyedOptions {
                    limit: limit_of(limit),
                    max_limit: max_limit.map(limit_of),
                    key,
                    queue_limit,
                    key_queue_limit,
                    queue_timeout: timeout.map(Duration::from_nanos),
                    by_priority,
                    measure_waits,
                    fairness,
                    max_keys,
                    overflow,
                };
                Setup { options, odd }
            },
        )
}

fn plans() -> impl Strategy<Value = KeyPlan> {
    let limits = prop_oneof![6 => 1..4_usize, 1 => Just(9)];
    (limits, 1..4_u32).prop_map(|(limit, share)| {
        let share = NonZeroU32::new(share).expect("it begins at one");
        KeyPlan::new(limit_of(limit)).with_share(share)
    })
}

fn max_keys() -> impl Strategy<Value = usize> {
    prop_oneof![1 => Just(0), 4 => 1..4_usize, 8 => Just(100)]
}

fn overflows() -> impl Strategy<Value = KeyOverflow> {
    prop_oneof![
        Just(KeyOverflow::Refuse),
        plans().prop_map(KeyOverflow::Share)
    ]
}
