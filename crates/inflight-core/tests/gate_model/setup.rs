use std::time::Duration;

use inflight_core::{GateOptions, Limit};
use proptest::option;
use proptest::prelude::*;

/// A gate, and what its clock shows at first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) options: GateOptions,
    pub(crate) start: u64,
}

pub(crate) fn setups() -> impl Strategy<Value = Setup> {
    (
        1..5_usize,
        option::of(1..8_usize),
        queue_limits(),
        option::weighted(0.3, 1..8_u64),
        any::<bool>(),
        any::<bool>(),
        starts(),
    )
        .prop_map(
            |(limit, max_limit, queue_limit, timeout, by_priority, measure_waits, start)| {
                let options = GateOptions {
                    limit: limit_of(limit),
                    max_limit: max_limit.map(limit_of),
                    queue_limit,
                    queue_timeout: timeout.map(Duration::from_nanos),
                    by_priority,
                    measure_waits,
                };
                Setup { options, start }
            },
        )
}

pub(crate) fn limit_of(limit: usize) -> Limit {
    Limit::new(limit).expect("the generators know the range")
}

fn queue_limits() -> impl Strategy<Value = usize> {
    prop_oneof![
        1 => Just(0),
        6 => 1..5_usize,
        2 => 5..60_usize,
        1 => Just(usize::MAX),
    ]
}

fn starts() -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(0), 1 => u64::MAX - 40..=u64::MAX]
}
