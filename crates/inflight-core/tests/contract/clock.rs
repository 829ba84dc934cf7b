use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;
use std::time::Duration;

use inflight_core::{Arrival, Gate, GateOptions, Host, Reason, Ticket, Wait, Waiter};
use inflight_test::{Task, TestGate};

use crate::gates::{advance, limit_of, options, patient, plain, priority, ticket, timed};

const DAY: Duration = Duration::from_secs(86_400);

// F73
#[test]
fn a_clock_that_jumps_ahead_costs_a_waiter_its_place_and_no_more() {
    let gate = timed(1, 2, 1_000);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    gate.clock().advance(DAY);
    assert_eq!(waiter.expect_ready().unwrap_err().waited(), DAY);
    let mut next = gate.expect_queued(ticket());
    drop(running);
    assert!(next.expect_ready().is_ok());
}

#[test]
fn a_clock_that_goes_backwards_makes_nobody_late() {
    let gate = timed(1, 3, 100);
    gate.clock().set(1_000);
    let running = gate.expect_admitted(ticket());
    let mut before = gate.expect_queued(ticket());
    gate.clock().set(10);
    let mut after = gate.expect_queued(ticket());
    before.expect_pending();
    gate.clock().set(109);
    after.expect_pending();
    advance(&gate, 1);
    assert_eq!(
        after.expect_ready().unwrap_err().waited(),
        Duration::from_nanos(100)
    );
    drop(running);
    assert!(before.expect_ready().is_ok());
}

#[test]
fn one_who_is_refused_before_it_came_has_not_waited() {
    let gate = plain(1, 1);
    gate.clock().set(1_000);
    let _running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    gate.clock().set(0);
    gate.close();
    assert_eq!(waiter.expect_ready().unwrap_err().waited(), Duration::ZERO);
}

// F67
#[test]
fn a_wait_past_the_end_of_time_is_no_deadline() {
    let longest = Duration::from_nanos(u64::MAX - 1);
    let end = Duration::from_nanos(u64::MAX);
    // Of the third, the lower 64 bits alone would be 0.3 seconds.
    let beyond = Duration::from_secs(18_446_744_074);
    for max_wait in [longest, end, beyond, Duration::MAX] {
        let gate = TestGate::new(&GateOptions {
            queue_timeout: Some(max_wait),
            ..options(1, 2)
        });
        gate.clock().set(1);
        let running = gate.expect_admitted(ticket());
        let mut first = gate.expect_queued(ticket());
        let mut second = gate.expect_queued(ticket().with_max_wait(max_wait));
        gate.clock().set(u64::MAX);
        first.expect_pending();
        second.expect_pending();
        drop(running);
        assert!(first.expect_ready().is_ok());
        assert!(second.expect_ready().is_ok());
    }
}

#[test]
fn a_clock_at_its_end_makes_late_who_has_a_deadline() {
    let gate = plain(1, 3);
    let running = gate.expect_admitted(ticket());
    let mut brief = gate.expect_queued(patient(1));
    let mut long = gate.expect_queued(patient(u64::MAX - 1));
    let mut endless = gate.expect_queued(ticket());
    gate.clock().set(u64::MAX);
    for waiter in [&mut brief, &mut long] {
        assert_eq!(
            waiter.expect_ready().unwrap_err().reason(),
            Reason::QueueTimeout
        );
    }
    drop(running);
    assert!(endless.expect_ready().is_ok());
}

#[test]
fn one_who_comes_at_the_end_of_time_is_never_late() {
    let gate = timed(1, 1, 1);
    gate.clock().set(u64::MAX);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    waiter.expect_pending();
    drop(running);
    assert!(waiter.expect_ready().is_ok());
}

#[test]
fn a_clock_that_stands_still_makes_nobody_late() {
    let gate = timed(1, 1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    waiter.expect_pending();
    drop(running);
    assert!(waiter.expect_ready().is_ok());
}

#[test]
fn the_clock_is_asked_only_for_those_who_wait() {
    let host = Asked::new(&options(1, 2));
    let asked = |expected| assert_eq!(host.times.swap(0, Ordering::Relaxed), expected);
    let Arrival::Admitted(running) = host.arrive(ticket()) else {
        panic!("there is room");
    };
    host.try_arrive(ticket()).unwrap_err();
    asked(0);
    let mut endless = host.queue(ticket());
    asked(1);
    drop(endless.poll(Waker::noop()));
    host.set_limit(limit_of(1));
    asked(0);
    let mut timed = host.queue(patient(10));
    asked(1);
    drop(timed.poll(Waker::noop()));
    asked(1);
    drop(timed);
    host.times.store(0, Ordering::Relaxed);
    drop(running);
    drop(endless.poll(Waker::noop()));
    asked(0);
}

#[test]
fn the_clock_is_not_asked_for_one_whom_a_full_line_refuses() {
    for by_priority in [false, true] {
        let host = Asked::new(&GateOptions {
            by_priority,
            ..options(1, 1)
        });
        let _running = host.arrive(ticket());
        let _waiting = host.queue(ticket());
        host.times.store(0, Ordering::Relaxed);
        assert!(matches!(host.arrive(ticket()), Arrival::Refused(_)));
        assert_eq!(host.times.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn the_clock_is_not_asked_for_one_who_takes_the_place_of_one_whose_wait_is_not_measured() {
    let host = Asked::new(&GateOptions {
        by_priority: true,
        measure_waits: false,
        ..options(1, 1)
    });
    let _running = host.arrive(ticket());
    let mut evicted = host.queue(ticket());
    let _high = host.queue(priority(1));
    match evicted.poll(Waker::noop()) {
        Wait::Refused(refusal) => assert_eq!(refusal.waited(), Duration::ZERO),
        other => panic!("it made place, but {other:?}"),
    }
    assert_eq!(host.times.load(Ordering::Relaxed), 0);
}

#[test]
fn the_clock_is_not_asked_for_one_who_will_not_wait() {
    let host = Asked::new(&GateOptions {
        queue_timeout: Some(DAY),
        ..options(1, 2)
    });
    let _running = host.arrive(ticket());
    let _waiting = host.queue(ticket());
    host.times.store(0, Ordering::Relaxed);
    host.try_arrive(ticket()).unwrap_err();
    assert_eq!(host.times.load(Ordering::Relaxed), 0);
}

#[test]
fn the_clock_is_not_asked_where_nobody_waits() {
    let host = Asked::new(&GateOptions {
        queue_timeout: Some(DAY),
        ..options(2, 1)
    });
    let running = [host.arrive(ticket()), host.arrive(ticket())];
    let mut drained = Task::new(host.drained());
    drained.expect_pending();
    drop(running);
    drained.expect_ready();
    assert_eq!(host.times.load(Ordering::Relaxed), 0);
}

/// A host whose clock stands still and counts who looks at it.
#[derive(Clone)]
struct Asked {
    gate: Arc<Gate>,
    times: Arc<AtomicUsize>,
}

impl Asked {
    fn new(options: &GateOptions) -> Self {
        Self {
            gate: Arc::new(Gate::new(options)),
            times: Arc::default(),
        }
    }

    fn queue(&self, ticket: Ticket) -> Waiter<Self> {
        match self.arrive(ticket) {
            Arrival::Queued(waiter) => waiter,
            _ => panic!("the line has places"),
        }
    }
}

impl Host for Asked {
    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn now(&self) -> u64 {
        self.times.fetch_add(1, Ordering::Relaxed);
        0
    }
}
