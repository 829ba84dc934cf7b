use std::task::Waker;
use std::time::Duration;

use inflight_core::{KeyedHost, KeyedOptions, KeyedWait, Reason};

use crate::asked::Asked;
use crate::gates::{limit, options, prior, ticket, waiting};

fn unmeasured(total: usize, key: usize) -> KeyedOptions {
    KeyedOptions {
        by_priority: true,
        measure_waits: false,
        ..options(total, key)
    }
}

#[test]
fn the_clock_is_not_asked_where_nobody_has_a_deadline_and_no_wait_is_measured() {
    for (total, key) in [(1, 9), (9, 1)] {
        let host = Asked::new(&unmeasured(total, key));
        let running = host.arrive('a', ticket());
        let mut next = host.queue('a', ticket());
        let gone = host.queue('a', ticket());
        drop(next.poll(Waker::noop()));
        drop(gone);
        drop(running);
        let KeyedWait::Admitted { permit, since } = next.poll(Waker::noop()) else {
            panic!("it is next");
        };
        assert_eq!(since, None);
        host.set_limit(limit(total + 1));
        assert!(host.set_key_limit(&'a', limit(key + 1)));
        drop(permit);
        assert_eq!(host.times(), 0);
    }
}

#[test]
fn a_deadline_has_the_clock_asked_by_whoever_comes_and_goes() {
    let host = Asked::new(&unmeasured(1, 1));
    let running = host.arrive('a', ticket());
    let timed = host.queue('b', waiting(10));
    assert_eq!(host.times(), 1);
    let endless = host.queue('a', ticket());
    assert_eq!(host.times(), 1);
    drop(running);
    assert_eq!(host.times(), 1);
    drop(timed);
    host.times();
    drop(endless);
    assert_eq!(host.times(), 0);
}

#[test]
fn a_wait_that_is_measured_says_since_when() {
    let host = Asked::new(&options(1, 1));
    let running = host.arrive('a', ticket());
    host.try_arrive('a', ticket()).unwrap_err();
    assert_eq!(host.times(), 0);
    let mut waiter = host.queue('a', ticket());
    assert_eq!(host.times(), 1);
    drop(running);
    assert_eq!(host.times(), 0);
    match waiter.poll(Waker::noop()) {
        KeyedWait::Admitted { since, .. } => assert_eq!(since, Some(7)),
        other => panic!("it is next, but {other:?}"),
    }
}

#[test]
fn one_who_is_evicted_from_a_wait_that_was_not_measured_tells_no_time() {
    let host = Asked::new(&KeyedOptions {
        queue_limit: 1,
        ..unmeasured(1, 1)
    });
    let _running = host.arrive('a', ticket());
    let mut evicted = host.queue('a', ticket());
    let _evicts = host.queue('a', prior(1));
    match evicted.poll(Waker::noop()) {
        KeyedWait::Refused(refusal) => {
            assert_eq!(refusal.reason(), Reason::QueueEvicted);
            assert_eq!(refusal.waited(), Duration::ZERO);
        }
        other => panic!("it made place, but {other:?}"),
    }
}
