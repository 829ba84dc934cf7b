use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use inflight_core::{Arrival, Gate, GateOptions, Host, Waiter};

use crate::gates::{options, patient, ticket};

/// A gate whose clock calls it whenever it is asked, and then shows 7.
#[derive(Clone)]
struct Busy(Arc<Inside>);

struct Inside {
    gate: Gate,
    was_asked: AtomicBool,
}

impl Host for Busy {
    fn gate(&self) -> &Gate {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        if !self.0.was_asked.swap(true, Ordering::Relaxed) {
            let _ = self.gate().snapshot();
        }
        7
    }
}

impl Busy {
    fn queue(&self, timed: bool) -> Waiter<Self> {
        let ticket = if timed { patient(10) } else { ticket() };
        match self.arrive(ticket) {
            Arrival::Queued(waiter) => waiter,
            other => panic!("there is no room but a place, yet {other:?}"),
        }
    }

    #[track_caller]
    fn expect_asked(&self) {
        let was_asked = self.0.was_asked.swap(false, Ordering::Relaxed);
        assert!(was_asked, "nobody asked for the time");
    }
}

/// A lock that is held meanwhile would make it hang.
#[test]
fn the_clock_is_asked_under_no_lock() {
    let host = Busy(Arc::new(Inside {
        gate: Gate::new(&GateOptions {
            measure_waits: false,
            ..options(1, 4)
        }),
        was_asked: AtomicBool::new(false),
    }));
    let running = host.arrive(ticket());
    let waiters = [true, false, false, true].map(|timed| host.queue(timed));
    host.expect_asked();
    let [first, leaves, second, last] = waiters;
    drop(leaves);
    host.expect_asked();
    drop(running);
    host.expect_asked();
    drop(first);
    host.expect_asked();
    host.close();
    host.expect_asked();
    drop((second, last));
    assert_eq!(host.gate().in_flight(), 0);
}
