use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Wake, Waker};
use std::thread::{self, Thread};

use inflight_core::{
    KeyOverflow, KeyPlan, KeyedArrival, KeyedHost, KeyedOptions, KeyedPermit, KeyedWait,
    KeyedWaiter,
};
use inflight_test::TestKeyedGate;

use crate::gates::{assert_empty, limit, options, ticket};

const THREADS: usize = 64;
const ROUNDS: usize = 200;
const TOTAL: usize = 3;

type Gate = TestKeyedGate<Meddler>;

static GATE: OnceLock<Gate> = OnceLock::new();
static INSIDE: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static DROPS: Cell<usize> = const { Cell::new(0) };
    static IS_MEDDLING: Cell<bool> = const { Cell::new(false) };
}

/// Calls the gate again with every third that is dropped.
#[derive(Debug, Eq, PartialEq)]
struct Meddler(usize);

impl Hash for Meddler {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Few hashes, so that keys meet on one chain.
        (self.0 % 3).hash(state);
    }
}

impl Drop for Meddler {
    fn drop(&mut self) {
        let drops = DROPS.replace(DROPS.get() + 1);
        if drops % 3 > 0 || IS_MEDDLING.replace(true) {
            return;
        }
        let gate = GATE.get().expect("it was there for the first key");
        if let Ok(permit) = gate.try_arrive(Self(drops % 7), ticket()) {
            work(permit);
        }
        let _ = gate.gate().key(&Self(drops % 5));
        drop(gate.arrive(Self(drops % 11), ticket()));
        IS_MEDDLING.set(false);
    }
}

fn work(permit: KeyedPermit<Gate>) {
    let before = INSIDE.fetch_add(1, Ordering::Relaxed);
    assert!(before < TOTAL, "{before} were inside already");
    thread::yield_now();
    INSIDE.fetch_sub(1, Ordering::Relaxed);
    drop(permit);
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Nobody else wakes it: one that is forgotten hangs.
fn wait(mut waiter: KeyedWaiter<Gate>) {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match waiter.poll(&waker) {
            KeyedWait::Admitted { permit, .. } => return work(permit),
            KeyedWait::Refused(refusal) => panic!("nobody is refused here: {refusal:?}"),
            KeyedWait::Pending { .. } => thread::park(),
        }
    }
}

/// Sixty-four threads, one place in the table, one entry for all the others,
/// and keys that call the gate wherever they are dropped.
// F147, F149
#[test]
fn a_throng_of_keys_that_meddle_with_a_table_of_one_loses_nothing() {
    let gate = GATE.get_or_init(|| {
        TestKeyedGate::new(&KeyedOptions {
            max_keys: 1,
            overflow: KeyOverflow::Share(KeyPlan::new(limit(2))),
            ..options(TOTAL, 1)
        })
    });
    thread::scope(|scope| {
        for number in 0..THREADS {
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    match gate.arrive(Meddler((number + round) % 9), ticket()) {
                        KeyedArrival::Admitted(permit) => work(permit),
                        KeyedArrival::Queued(waiter) if round % 4 == 0 => drop(waiter),
                        KeyedArrival::Queued(waiter) => wait(waiter),
                        KeyedArrival::Refused(refusal) => panic!("refused: {refusal:?}"),
                    }
                    assert!(gate.gate().keys() <= 1);
                }
            });
        }
    });
    assert_empty(gate);
}
