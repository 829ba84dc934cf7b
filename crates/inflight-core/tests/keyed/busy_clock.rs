use std::cell::Cell;
use std::rc::Rc;
use std::task::Waker;
use std::time::Duration;

use inflight_core::{KeyedArrival, KeyedGate, KeyedHost, KeyedOptions, KeyedWaiter, Ticket};

use crate::gates::{limit, options, ticket, waiting};

/// A gate whose clock calls it whenever it is asked, and then shows 7.
#[derive(Clone)]
struct Busy(Rc<Inside>);

struct Inside {
    gate: KeyedGate<char>,
    times: Cell<usize>,
    is_asked: Cell<bool>,
}

impl KeyedHost for Busy {
    type Key = char;

    fn gate(&self) -> &KeyedGate<char> {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        if !self.0.is_asked.replace(true) {
            self.0.times.set(self.0.times.get() + 1);
            let _ = (self.gate().snapshot(), self.gate().key(&'a'));
            drop(self.arrive('a', ticket()));
            drop(self.arrive('z', waiting(5)));
            self.0.is_asked.set(false);
        }
        7
    }
}

impl Busy {
    fn new(options: &KeyedOptions) -> Self {
        Self(Rc::new(Inside {
            gate: KeyedGate::new(options),
            times: Cell::new(0),
            is_asked: Cell::new(false),
        }))
    }

    fn queue(&self, key: char, ticket: Ticket) -> KeyedWaiter<Self> {
        match self.arrive(key, ticket) {
            KeyedArrival::Queued(waiter) => waiter,
            other => panic!("there is no room but a place, yet {other:?}"),
        }
    }

    #[track_caller]
    fn expect_asked(&self) {
        assert!(self.0.times.take() > 0, "nobody asked for the time");
    }
}

/// A lock that is held meanwhile would make it hang.
#[test]
fn the_clock_is_asked_under_no_lock() {
    for queue_timeout in [None, Some(Duration::from_nanos(9))] {
        let host = Busy::new(&KeyedOptions {
            queue_timeout,
            ..options(1, 1)
        });
        let running = host.arrive('a', ticket());
        let mut waiters = ['a', 'b', 'b', 'c'].map(|key| host.queue(key, waiting(10)));
        host.expect_asked();
        drop(waiters[1].poll(Waker::noop()));
        host.expect_asked();
        let [of_a, of_b, gone, of_c] = waiters;
        drop(gone);
        host.expect_asked();
        host.set_limit(limit(1));
        host.expect_asked();
        assert!(host.set_key_limit(&'a', limit(2)));
        host.expect_asked();
        drop(running);
        host.expect_asked();
        drop(of_a);
        host.expect_asked();
        host.close();
        host.expect_asked();
        drop((of_b, of_c));
        assert_eq!(host.gate().keys(), 0);
    }
}
