use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use inflight_core::{
    KeyPlan, KeyedArrival, KeyedGate, KeyedHost, KeyedWait, KeyedWaiter, Reason, Ticket,
};
use inflight_test::{TestKeyedGate, panicking_waker, waker_on_drop, waker_on_wake};

use crate::gates::{assert_empty, gate, granted, limit, options, ticket};

/// What a key may do besides being one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Trick {
    None,
    PanicInClone,
    PanicInDrop,
    PanicInEq,
    PanicInHash,
}

thread_local! {
    static TRICK: Cell<Trick> = const { Cell::new(Trick::None) };
}

/// All have the same hash, so that they have to be compared.
#[derive(Debug)]
struct Tricky(u8);

fn play(trick: Trick) {
    assert!(TRICK.get() != trick, "the key panics");
}

impl Hash for Tricky {
    fn hash<H: Hasher>(&self, _: &mut H) {
        play(Trick::PanicInHash);
    }
}

impl PartialEq for Tricky {
    fn eq(&self, other: &Self) -> bool {
        play(Trick::PanicInEq);
        self.0 == other.0
    }
}

impl Eq for Tricky {}

impl Clone for Tricky {
    fn clone(&self) -> Self {
        play(Trick::PanicInClone);
        Self(self.0)
    }
}

impl Drop for Tricky {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            play(Trick::PanicInDrop);
        }
    }
}

/// Runs `act` while keys do that, and says whether it panicked.
fn while_keys(trick: Trick, act: impl FnOnce()) -> bool {
    TRICK.set(trick);
    let outcome = catch_unwind(AssertUnwindSafe(act));
    TRICK.set(Trick::None);
    outcome.is_err()
}

#[test]
fn a_key_that_panics_as_it_is_hashed_or_compared_changes_nothing() {
    let gate = TestKeyedGate::new(&options(9, 1));
    for trick in [Trick::PanicInHash, Trick::PanicInEq] {
        let running = gate.expect_admitted(Tricky(1), ticket());
        let mut waiter = gate.expect_queued(Tricky(1), ticket());
        waiter.expect_pending();
        for key in [1, 2] {
            assert!(while_keys(trick, || {
                drop(gate.arrive(Tricky(key), ticket()));
            }));
        }
        assert!(while_keys(trick, || {
            let _ = gate.gate().key(&Tricky(1));
        }));
        let snapshot = gate.gate().snapshot();
        assert_eq!((snapshot.total.in_flight, snapshot.total.queued), (1, 1));
        assert_eq!(snapshot.keys, 1);
        assert!(
            !while_keys(trick, || {
                drop(running);
                drop(waiter);
            }),
            "nothing is hashed or compared on the way out"
        );
        assert_empty(&gate);
    }
}

#[test]
fn a_key_that_panics_as_it_is_dropped_costs_no_permit() {
    let gate = TestKeyedGate::new(&options(1, 1));
    let running = gate.expect_admitted(Tricky(1), ticket());
    assert!(!while_keys(Trick::PanicInDrop, || drop(running)));
    assert_empty(&gate);
    let running = gate.expect_admitted(Tricky(1), ticket());
    let mut waiter = gate.expect_queued(Tricky(2), ticket());
    waiter.expect_pending();
    assert!(!while_keys(Trick::PanicInDrop, || drop(running)));
    assert!(waiter.is_woken());
    drop(waiter);
    assert_empty(&gate);
}

#[test]
fn a_key_that_panics_as_it_is_cloned_spoils_one_view() {
    let gate = TestKeyedGate::new(&options(9, 1));
    let running = gate.expect_admitted(Tricky(1), ticket());
    assert!(while_keys(Trick::PanicInClone, || drop(gate.gate().top(3))));
    assert_eq!(gate.gate().top(3).len(), 1);
    drop(running);
    assert_empty(&gate);
}

#[test]
fn a_plan_that_panics_lets_nobody_in_and_leaves_no_key() {
    let plan = |key: &&str| {
        assert!(*key != "bad", "there is no such tenant");
        KeyPlan::new(limit(1))
    };
    let gate = TestKeyedGate::on(KeyedGate::with_plans(&options(9, 9), plan));
    let outcome = catch_unwind(AssertUnwindSafe(|| drop(gate.arrive("bad", ticket()))));
    assert!(outcome.is_err());
    assert_empty(&gate);
    drop(gate.expect_admitted("good", ticket()));
}

/// Calls the gate as it is dropped.
#[derive(Debug)]
struct Nosy(u8);

static NOSY: OnceLock<TestKeyedGate<Nosy>> = OnceLock::new();
static DROPS: AtomicUsize = AtomicUsize::new(0);

impl PartialEq for Nosy {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Nosy {}

impl Hash for Nosy {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Drop for Nosy {
    fn drop(&mut self) {
        DROPS.fetch_add(1, Ordering::Relaxed);
        if let Some(gate) = NOSY.get() {
            let _ = gate.gate().snapshot();
            let _ = gate.gate().is_closed();
            gate.set_limit(limit(1));
        }
    }
}

/// Held locks would make it hang.
#[test]
fn keys_are_dropped_under_no_lock() {
    let gate = NOSY.get_or_init(|| TestKeyedGate::new(&options(1, 1)));
    let running = gate.expect_admitted(Nosy(1), ticket());
    let waiter = gate.expect_queued(Nosy(2), ticket());
    let known = gate.expect_queued(Nosy(1), ticket());
    assert_eq!(
        DROPS.load(Ordering::Relaxed),
        1,
        "that one was known already"
    );
    assert!(gate.try_arrive(Nosy(3), ticket()).is_err());
    drop(running);
    drop((known, waiter));
    drop(gate.expect_admitted(Nosy(4), ticket()));
    gate.close();
    assert_eq!(
        gate.expect_refused(Nosy(5), ticket()).reason(),
        Reason::Closed
    );
    assert_eq!(DROPS.load(Ordering::Relaxed), 6);
    assert_empty(gate);
}

fn poll(waiter: &mut KeyedWaiter<TestKeyedGate<&'static str>>, waker: &std::task::Waker) -> bool {
    matches!(waiter.poll(waker), KeyedWait::Admitted { .. })
}

fn queue(
    gate: &TestKeyedGate<&'static str>,
    key: &'static str,
) -> KeyedWaiter<TestKeyedGate<&'static str>> {
    match gate.arrive(key, Ticket::new()) {
        KeyedArrival::Queued(waiter) => waiter,
        other => panic!("there are places: {other:?}"),
    }
}

#[test]
fn a_waker_may_call_the_gate_and_one_that_panics_harms_nobody() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("x", ticket());
    let mut bad = queue(&gate, "a");
    let mut good = gate.expect_queued("b", ticket());
    assert!(!poll(&mut bad, &panicking_waker()));
    good.expect_pending();
    let seen = Arc::new(AtomicUsize::new(0));
    let (inside, counter) = (gate.clone(), Arc::clone(&seen));
    let mut nosy = queue(&gate, "c");
    let nosy_waker = waker_on_wake(move || {
        let keys = inside.gate().snapshot().keys;
        counter.store(keys, Ordering::Relaxed);
    });
    assert!(!poll(&mut nosy, &nosy_waker));
    gate.set_limit(limit(3));
    assert_eq!(seen.load(Ordering::Relaxed), 0, "two are let in");
    drop(running);
    assert!(good.is_woken());
    assert_eq!(seen.load(Ordering::Relaxed), 3);
    drop((bad, granted(&mut good), nosy));
    assert_empty(&gate);
}

#[test]
fn wakers_that_are_no_longer_wanted_are_dropped_under_no_lock() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("x", ticket());
    let mut waiter = queue(&gate, "a");
    let drops = Arc::new(AtomicUsize::new(0));
    for _ in 0..2 {
        let (inside, counter) = (gate.clone(), Arc::clone(&drops));
        let waker = waker_on_drop(move || {
            let _ = inside.gate().snapshot();
            counter.fetch_add(1, Ordering::Relaxed);
        });
        assert!(!poll(&mut waiter, &waker));
    }
    assert_eq!(drops.load(Ordering::Relaxed), 1, "the first was replaced");
    drop(waiter);
    assert_eq!(drops.load(Ordering::Relaxed), 2);
    drop(running);
    assert_empty(&gate);
}

#[test]
#[should_panic(expected = "a waiter has one answer")]
fn a_waiter_that_was_answered_is_not_to_be_polled_again() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("x", ticket());
    let mut waiter = queue(&gate, "a");
    drop(running);
    assert!(poll(&mut waiter, std::task::Waker::noop()));
    drop(waiter.poll(std::task::Waker::noop()));
}

#[test]
fn a_waiter_knows_whose_line_it_is_until_it_was_admitted() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("x", ticket());
    let mut waiter = queue(&gate, "a");
    assert!(waiter.host().is_some());
    drop(running);
    let KeyedWait::Admitted { permit, .. } = waiter.poll(std::task::Waker::noop()) else {
        panic!("it is its turn");
    };
    assert!(waiter.host().is_none());
    assert_eq!(permit.host().total().in_flight, 1);
}

#[test]
fn a_drain_that_is_no_longer_watched_is_forgotten() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("x", ticket());
    let mut drained = Box::pin(gate.drained());
    let mut context = Context::from_waker(std::task::Waker::noop());
    assert_eq!(drained.as_mut().poll(&mut context), Poll::Pending);
    assert!(!gate.gate().has_room());
    drop(drained);
    drop(running);
    assert!(gate.gate().has_room());
}
