use std::fmt::Debug;
use std::time::Duration;

use inflight_core::{Limit, Ticket};
use proptest::option;
use proptest::prelude::*;

use super::setup::limit_of;

/// Something that happens to a gate. An index counts round those that there are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<K> {
    Arrive {
        key: K,
        ticket: Ticket,
        waits: bool,
    },
    Poll {
        waiter: usize,
        new_waker: bool,
    },
    Cancel {
        waiter: usize,
    },
    Finish {
        permit: usize,
        panics: bool,
    },
    Advance {
        by: u64,
    },
    Rewind {
        by: u64,
    },
    /// To a waiter's deadline, or a nanosecond before or after it.
    Approach {
        waiter: usize,
        offset: i64,
    },
    /// Of one key or of all.
    SetLimit {
        of: Option<K>,
        limit: Limit,
    },
    Close,
    Watch,
    PollWatcher {
        watcher: usize,
    },
    Unwatch {
        watcher: usize,
    },
}

/// By callers under `keys`; the limits that change are those of `bounds`.
pub(crate) fn steps<K: Clone + Debug + 'static>(
    keys: impl Strategy<Value = K> + 'static,
    bounds: impl Strategy<Value = Option<K>> + 'static,
) -> impl Strategy<Value = Step<K>> {
    let index = any::<usize>();
    prop_oneof![
        260 => (keys, tickets(), prop::bool::weighted(0.85))
            .prop_map(|(key, ticket, waits)| Step::Arrive { key, ticket, waits }),
        140 => (index, any::<bool>())
            .prop_map(|(waiter, new_waker)| Step::Poll { waiter, new_waker }),
        40 => index.prop_map(|waiter| Step::Cancel { waiter }),
        100 => (index, prop::bool::weighted(0.2))
            .prop_map(|(permit, panics)| Step::Finish { permit, panics }),
        40 => (1..4_u64).prop_map(|by| Step::Advance { by }),
        10 => (1..4_u64).prop_map(|by| Step::Rewind { by }),
        60 => (index, -1..=1_i64)
            .prop_map(|(waiter, offset)| Step::Approach { waiter, offset }),
        60 => (bounds, limits()).prop_map(|(of, limit)| Step::SetLimit { of, limit }),
        1 => Just(Step::Close),
        10 => Just(Step::Watch),
        10 => index.prop_map(|watcher| Step::PollWatcher { watcher }),
        8 => index.prop_map(|watcher| Step::Unwatch { watcher }),
    ]
}

fn tickets() -> impl Strategy<Value = Ticket> {
    (weights(), priorities(), option::weighted(0.3, waits())).prop_map(
        |(weight, priority, max_wait)| {
            let ticket = Ticket::new().with_weight(weight).with_priority(priority);
            match max_wait {
                Some(max_wait) => ticket.with_max_wait(max_wait),
                None => ticket,
            }
        },
    )
}

fn weights() -> impl Strategy<Value = u32> {
    prop_oneof![
        1 => Just(0),
        16 => Just(1),
        4 => 2..4_u32,
        1 => 4..9_u32,
        1 => Just(u32::MAX),
    ]
}

fn priorities() -> impl Strategy<Value = i32> {
    prop_oneof![
        4 => Just(0),
        8 => -2..3_i32,
        1 => Just(i32::MIN),
        1 => Just(i32::MAX),
        1 => any::<i32>(),
    ]
}

fn waits() -> impl Strategy<Value = Duration> {
    prop_oneof![
        1 => Just(Duration::ZERO),
        16 => (1..8_u64).prop_map(Duration::from_nanos),
        1 => Just(Duration::from_nanos(u64::MAX - 1)),
        1 => Just(Duration::MAX),
    ]
}

fn limits() -> impl Strategy<Value = Limit> {
    prop_oneof![
        12 => (1..7_usize).prop_map(limit_of),
        1 => Just(Limit::MAX),
    ]
}
