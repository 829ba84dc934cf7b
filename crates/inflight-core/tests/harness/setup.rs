use inflight_core::Limit;
use proptest::prelude::*;

pub(crate) fn limit_of(limit: usize) -> Limit {
    Limit::new(limit).expect("the generators know the range")
}

pub(crate) fn queue_limits() -> impl Strategy<Value = usize> {
    prop_oneof![
        1 => Just(0),
        6 => 1..5_usize,
        4 => 5..60_usize,
        2 => Just(usize::MAX),
    ]
}

/// What the clock shows at first.
pub(crate) fn starts() -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(0), 1 => u64::MAX - 40..=u64::MAX]
}
