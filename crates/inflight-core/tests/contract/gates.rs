use std::time::Duration;

use inflight_core::{GateOptions, Limit, Ticket};
use inflight_test::TestGate;

/// So many may run, so many may wait, first come, first served.
pub(crate) fn plain(limit: usize, queue_limit: usize) -> TestGate {
    TestGate::new(&options(limit, queue_limit))
}

/// The same, highest priority first.
pub(crate) fn by_priority(limit: usize, queue_limit: usize) -> TestGate {
    TestGate::new(&GateOptions {
        by_priority: true,
        ..options(limit, queue_limit)
    })
}

/// The same as plain, where nobody waits longer than `nanos`.
pub(crate) fn timed(limit: usize, queue_limit: usize, nanos: u64) -> TestGate {
    TestGate::new(&GateOptions {
        queue_timeout: Some(Duration::from_nanos(nanos)),
        ..options(limit, queue_limit)
    })
}

/// The same as plain, with a limit that something else adapts.
pub(crate) fn adaptive(limit: usize, max_limit: usize, queue_limit: usize) -> TestGate {
    TestGate::new(&GateOptions {
        max_limit: Limit::new(max_limit),
        ..options(limit, queue_limit)
    })
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

pub(crate) fn ticket() -> Ticket {
    Ticket::new()
}

pub(crate) fn priority(priority: i32) -> Ticket {
    Ticket::new().with_priority(priority)
}

pub(crate) fn weight(weight: u32) -> Ticket {
    Ticket::new().with_weight(weight)
}

pub(crate) fn patient(nanos: u64) -> Ticket {
    Ticket::new().with_max_wait(Duration::from_nanos(nanos))
}

pub(crate) fn advance(gate: &TestGate, nanos: u64) {
    gate.clock().advance(Duration::from_nanos(nanos));
}
