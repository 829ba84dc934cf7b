use std::cell::Cell;
use std::rc::Rc;

use inflight_core::{KeyedArrival, KeyedGate, KeyedHost, KeyedOptions, KeyedWaiter, Ticket};

/// A gate that counts how often it asks for the time, which is always 7.
#[derive(Clone)]
pub(crate) struct Asked(Rc<Inside>);

struct Inside {
    gate: KeyedGate<char>,
    times: Cell<usize>,
    meddle: fn(&Asked),
    is_meddling: Cell<bool>,
}

impl KeyedHost for Asked {
    type Key = char;

    fn gate(&self) -> &KeyedGate<char> {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        if !self.0.is_meddling.replace(true) {
            self.0.times.set(self.0.times.get() + 1);
            (self.0.meddle)(self);
            self.0.is_meddling.set(false);
        }
        7
    }
}

impl Asked {
    pub(crate) fn new(options: &KeyedOptions) -> Self {
        Self::meddling(options, |_| ())
    }

    /// Its clock does `meddle` whenever it is asked, and what that asks in its
    /// turn is not counted.
    pub(crate) fn meddling(options: &KeyedOptions, meddle: fn(&Self)) -> Self {
        Self(Rc::new(Inside {
            gate: KeyedGate::new(options),
            times: Cell::new(0),
            meddle,
            is_meddling: Cell::new(false),
        }))
    }

    pub(crate) fn queue(&self, key: char, ticket: Ticket) -> KeyedWaiter<Self> {
        match self.arrive(key, ticket) {
            KeyedArrival::Queued(waiter) => waiter,
            other => panic!("there is no room but a place, yet {other:?}"),
        }
    }

    /// How often since it was last said.
    pub(crate) fn times(&self) -> usize {
        self.0.times.take()
    }

    #[track_caller]
    pub(crate) fn expect_asked(&self) {
        assert!(self.times() > 0, "nobody asked for the time");
    }
}
