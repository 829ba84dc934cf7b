use std::num::NonZeroU32;
use std::time::Duration;

use inflight_core::{Fairness, KeyOverflow, KeyPlan, KeyedOptions, Limit};
use proptest::option;
use proptest::prelude::*;

/// A keyed gate, and what its clock shows at first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) options: KeyedOptions,
    /// What the odd keys may have.
    pub(crate) odd: KeyPlan,
    pub(crate) start: u64,
}

pub(crate) fn setups() -> impl Strategy<Value = Setup> {
    (
        (1..6_usize, option::weighted(0.3, 1..8_usize)),
        [plans(), plans()],
        (queue_limits(), queue_limits()),
        option::weighted(0.3, 0..8_u64),
        any::<bool>(),
        prop_oneof![Just(Fairness::Arrival), Just(Fairness::RoundRobin)],
        (max_keys(), overflows()),
        starts(),
    )
        .prop_map(
            |(
                (limit, max_limit),
                [key, odd],
                (queue_limit, key_queue_limit),
                timeout,
                by_priority,
                fairness,
                (max_keys, overflow),
                start,
            )| {
                let options = KeyedOptions {
                    limit: limit_of(limit),
                    max_limit: max_limit.map(limit_of),
                    key,
                    queue_limit,
                    key_queue_limit,
                    queue_timeout: timeout.map(Duration::from_nanos),
                    by_priority,
                    fairness,
                    max_keys,
                    overflow,
                };
                Setup {
                    options,
                    odd,
                    start,
                }
            },
        )
}

pub(crate) fn limit_of(limit: usize) -> Limit {
    Limit::new(limit).expect("the generators know the range")
}

fn plans() -> impl Strategy<Value = KeyPlan> {
    let limits = prop_oneof![6 => 1..4_usize, 1 => Just(9)];
    (limits, 1..4_u32).prop_map(|(limit, share)| {
        let share = NonZeroU32::new(share).expect("it begins at one");
        KeyPlan::new(limit_of(limit)).with_share(share)
    })
}

fn queue_limits() -> impl Strategy<Value = usize> {
    prop_oneof![
        1 => Just(0),
        6 => 1..5_usize,
        4 => 5..60_usize,
        2 => Just(usize::MAX),
    ]
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

fn starts() -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(0), 1 => u64::MAX - 40..=u64::MAX]
}
