use std::time::Duration;

use inflight_core::{KeyedHost, KeyedOptions, KeyedPermit, Limit, Refusal, Ticket};
use inflight_test::{KeyedQueued, Task, TestKeyedGate};

pub(crate) type Gate = TestKeyedGate<&'static str>;
pub(crate) type Held = KeyedPermit<Gate>;
pub(crate) type Queued = Task<KeyedQueued<Gate>>;

/// So many in all and so many of each key, with a line that is long enough.
pub(crate) fn options(total: usize, key: usize) -> KeyedOptions {
    KeyedOptions {
        queue_limit: usize::MAX,
        key_queue_limit: usize::MAX,
        ..KeyedOptions::new(limit(total), limit(key))
    }
}

/// The same without a line.
pub(crate) fn lineless(total: usize, key: usize) -> Gate {
    TestKeyedGate::new(&KeyedOptions::new(limit(total), limit(key)))
}

pub(crate) fn gate(total: usize, key: usize) -> Gate {
    TestKeyedGate::new(&options(total, key))
}

pub(crate) fn limit(limit: usize) -> Limit {
    Limit::new(limit).expect("tests know the range")
}

pub(crate) fn ticket() -> Ticket {
    Ticket::new()
}

pub(crate) fn weighing(weight: u32) -> Ticket {
    Ticket::new().with_weight(weight)
}

pub(crate) fn prior(priority: i32) -> Ticket {
    Ticket::new().with_priority(priority)
}

pub(crate) fn waiting(nanos: u64) -> Ticket {
    Ticket::new().with_max_wait(Duration::from_nanos(nanos))
}

/// The permit of one that has to be let in by now.
#[track_caller]
pub(crate) fn granted(waiter: &mut Queued) -> Held {
    waiter.expect_ready().expect("it was granted")
}

#[track_caller]
pub(crate) fn refused(waiter: &mut Queued) -> Refusal {
    waiter.expect_ready().expect_err("it was refused")
}

/// Which of the waiters are served, in that order, if each ends before the
/// next.
pub(crate) fn serve(first: Held, waiters: Vec<(&'static str, Queued)>) -> Vec<&'static str> {
    let mut waiters = waiters;
    for (_, waiter) in &mut waiters {
        waiter.expect_pending();
    }
    let mut served = Vec::new();
    let mut running = Some(first);
    while !waiters.is_empty() {
        drop(running.take());
        let next = waiters.iter().position(|(_, waiter)| waiter.is_woken());
        let (key, mut waiter) = waiters.remove(next.expect("somebody is next"));
        running = Some(granted(&mut waiter));
        served.push(key);
    }
    served
}

/// Nothing runs, nobody waits, and no key is left.
#[track_caller]
pub(crate) fn assert_empty<K: std::hash::Hash + Eq>(gate: &TestKeyedGate<K>) {
    let snapshot = gate.gate().snapshot();
    assert_eq!((snapshot.total.in_flight, snapshot.total.queued), (0, 0));
    assert_eq!(snapshot.keys, 0);
}
