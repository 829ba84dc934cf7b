use inflight_core::{GateOptions, Limit};
use inflight_test::TestGate;

/// So many may run, so many may wait, first come, first served.
pub(crate) fn plain(limit: usize, queue_limit: usize) -> TestGate {
    TestGate::new(&options(limit, queue_limit))
}

pub(crate) fn options(limit: usize, queue_limit: usize) -> GateOptions {
    GateOptions {
        queue_limit,
        ..GateOptions::new(limit_of(limit))
    }
}

pub(crate) fn limit_of(limit: usize) -> Limit {
    Limit::new(limit).expect("tests know the range")
}
