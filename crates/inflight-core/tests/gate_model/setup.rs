use std::time::Duration;

use inflight_core::GateOptions;
use proptest::option;
use proptest::prelude::*;

use crate::harness::setup::{limit_of, queue_limits};

pub(crate) fn options() -> impl Strategy<Value = GateOptions> {
    (
        1..5_usize,
        option::of(1..8_usize),
        queue_limits(),
        option::weighted(0.3, 1..8_u64),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(
            |(limit, max_limit, queue_limit, timeout, by_priority, measure_waits)| GateOptions {
                limit: limit_of(limit),
                max_limit: max_limit.map(limit_of),
                queue_limit,
                queue_timeout: timeout.map(Duration::from_nanos),
                by_priority,
                measure_waits,
            },
        )
}
