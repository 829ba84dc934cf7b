use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use inflight_core::{
    KeyOverflow, KeyPlan, KeyedArrival, KeyedGate, KeyedHost, KeyedOptions, KeyedPermit, Reason,
};
use inflight_test::TestKeyedGate;

use crate::gates::{assert_empty, limit, options, ticket};

/// Does something as it is dropped, and so do its clones. All have the same
/// hash, and so are found in the order in which they came.
#[derive(Clone)]
struct Parting(u8, Rc<dyn Fn()>);

type Gate = TestKeyedGate<Parting>;

impl Parting {
    fn quietly(id: u8) -> Self {
        Self(id, Rc::new(|| ()))
    }

    fn with_a_bang(id: u8) -> Self {
        Self(id, Rc::new(|| resume_unwind(Box::new("a bang"))))
    }
}

impl PartialEq for Parting {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Parting {}

impl Hash for Parting {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Drop for Parting {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            (self.1)();
        }
    }
}

impl std::fmt::Debug for Parting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Parting").field(&self.0).finish()
    }
}

/// What becomes of a call under a key that panics when it is dropped.
fn bang(gate: &Gate, id: u8) -> KeyedArrival<Gate> {
    let arrive = || gate.arrive(Parting::with_a_bang(id), ticket());
    catch_unwind(AssertUnwindSafe(arrive)).expect("the panic is contained")
}

/// Where the key is known, that of the call is not needed. What was decided by
/// then must not be lost with it.
#[test]
fn a_key_that_panics_as_it_turns_out_to_be_known_loses_nothing() {
    let gate = TestKeyedGate::new(&options(9, 2));
    let first = gate.expect_admitted(Parting::quietly(1), ticket());
    let KeyedArrival::Admitted(second) = bang(&gate, 1) else {
        panic!("there is room");
    };
    let KeyedArrival::Queued(third) = bang(&gate, 1) else {
        panic!("there is a place");
    };
    let KeyedArrival::Queued(fourth) = bang(&gate, 1) else {
        panic!("there is a place behind the third");
    };
    assert_eq!((gate.total().in_flight, gate.total().queued), (2, 2));
    drop((fourth, third, second, first));
    assert_empty(&gate);
}

#[test]
fn a_key_that_panics_as_it_finds_no_place_loses_nothing() {
    let plan = KeyPlan::new(limit(1));
    for overflow in [KeyOverflow::Refuse, KeyOverflow::Share(plan)] {
        let gate: Gate = TestKeyedGate::new(&KeyedOptions {
            max_keys: 0,
            overflow,
            ..options(9, 1)
        });
        match (bang(&gate, 1), overflow) {
            (KeyedArrival::Refused(refusal), KeyOverflow::Refuse) => {
                assert_eq!(refusal.reason(), Reason::TooManyKeys);
            }
            (KeyedArrival::Admitted(permit), KeyOverflow::Share(_)) => drop(permit),
            (other, _) => panic!("{other:?} is not what was asked for"),
        }
        assert_empty(&gate);
    }
}

/// Takes the last slot as one key goes, and again as the copy of a known one
/// does: whoever comes next finds it taken, and nothing hangs.
#[test]
fn a_key_may_take_a_permit_under_another_as_it_is_dropped() {
    let gate: Gate = TestKeyedGate::new(&options(2, 2));
    let kept: Rc<RefCell<Vec<KeyedPermit<Gate>>>> = Rc::default();
    let greedy = |id| {
        let (gate, kept) = (gate.clone(), Rc::clone(&kept));
        let take = move || {
            let more = gate.try_arrive(Parting::quietly(9), ticket());
            kept.borrow_mut().extend(more.ok());
        };
        Parting(id, Rc::new(take))
    };
    let permit = gate.expect_admitted(greedy(1), ticket());
    let again = gate.expect_admitted(Parting::quietly(1), ticket());
    let waiter = gate.arrive(greedy(1), ticket());
    assert!(matches!(waiter, KeyedArrival::Queued(_)));
    assert_eq!(kept.borrow().len(), 0, "there was no room then");
    drop(waiter);
    drop((permit, again));
    assert_eq!(kept.borrow().len(), 1);
    assert_eq!((gate.total().in_flight, gate.gate().keys()), (1, 1));
    kept.borrow_mut().clear();
    assert_empty(&gate);
}

/// A gate with five keys, each of which has one more in flight than the one
/// before, so that a look at the first few passes over the others.
fn rising(gate: &Gate, key: impl Fn(u8) -> Parting) -> Vec<KeyedPermit<Gate>> {
    (1..=5)
        .flat_map(|id| std::iter::repeat_n(id, id.into()))
        .map(|id| gate.expect_admitted(key(id), ticket()))
        .collect()
}

/// Held locks would make it hang.
#[test]
fn the_copies_that_a_view_passes_over_are_dropped_under_no_lock() {
    let gate: Gate = TestKeyedGate::new(&options(99, 9));
    let drops = Rc::new(Cell::new(0));
    let nosy = |id| {
        let (gate, drops) = (gate.clone(), Rc::clone(&drops));
        let look = move || {
            let _ = gate.gate().snapshot();
            let _ = gate.gate().key(&Parting::quietly(id));
            drops.set(drops.get() + 1);
        };
        Parting(id, Rc::new(look))
    };
    let permits = rising(&gate, nosy);
    let before = drops.get();
    let top = gate.gate().top(2);
    let ids = top.iter().flat_map(|load| &load.key).map(|key| key.0);
    assert_eq!(ids.collect::<Vec<_>>(), [5, 4]);
    assert_eq!(drops.get() - before, 3, "they came before");
    drop(top);
    drop(permits);
    assert_empty(&gate);
}

/// Two keys that are not even equal to themselves.
#[derive(Clone, Debug)]
struct Nan(u8);

impl PartialEq for Nan {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Eq for Nan {}

impl Hash for Nan {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[test]
fn a_key_that_does_not_equal_itself_is_a_new_one_with_every_call() {
    let gate = TestKeyedGate::new(&options(3, 1));
    let mut held: Vec<_> = (0..3)
        .map(|_| gate.expect_admitted(Nan(0), ticket()))
        .collect();
    let mut waiters: Vec<_> = [0, 1, 0]
        .map(|key| gate.expect_queued(Nan(key), ticket()))
        .into();
    for waiter in &mut waiters {
        waiter.expect_pending();
    }
    assert_eq!(gate.gate().keys(), 6);
    assert_eq!(gate.gate().key(&Nan(0)), None);
    assert!(!gate.set_key_limit(&Nan(0), limit(9)));
    drop(held.remove(1));
    assert!(waiters[0].is_woken() && !waiters[1].is_woken());
    drop(waiters.remove(0));
    assert!(waiters[0].is_woken(), "it passed its grant on");
    assert_eq!(gate.gate().top(9).len(), 4);
    drop(waiters);
    drop(held);
    assert_empty(&gate);
}

thread_local! {
    static SALT: Cell<u64> = const { Cell::new(0) };
}

/// Has another hash whenever the salt has changed.
#[derive(Debug, Eq, PartialEq)]
struct Drifting(u8);

impl Hash for Drifting {
    fn hash<H: Hasher>(&self, state: &mut H) {
        SALT.get().hash(state);
    }
}

#[test]
fn keys_whose_hash_changes_find_their_way_out() {
    let gate = TestKeyedGate::new(&options(99, 1));
    let mut held = Vec::new();
    let mut waiters = Vec::new();
    for salt in 0..40 {
        SALT.set(salt);
        held.push(gate.expect_admitted(Drifting(0), ticket()));
        waiters.push(gate.expect_queued(Drifting(0), ticket()));
    }
    assert_eq!(gate.gate().keys(), 40);
    while let Some(permit) = held.pop() {
        drop(permit);
        drop(waiters.remove(held.len() / 2));
    }
    assert_empty(&gate);
}

#[test]
fn a_plan_may_call_the_gate_and_even_bring_its_own_key() {
    let inside: Arc<OnceLock<TestKeyedGate<u8>>> = Arc::default();
    let depth = Arc::clone(&inside);
    let plan = move |key: &u8| {
        let gate = depth.get().expect("it was set before the first call");
        if *key > 0 {
            // Under the one before, and, at the end, under none.
            drop(gate.arrive(*key - 1, ticket()));
        }
        let _ = (gate.gate().snapshot(), gate.gate().key(key));
        gate.set_limit(limit(3));
        KeyPlan::new(limit(1))
    };
    let gate = TestKeyedGate::on(KeyedGate::with_plans(&options(2, 9), plan));
    let gate = inside.get_or_init(|| gate);
    let running = gate.expect_admitted(5, ticket());
    assert_eq!((gate.gate().keys(), gate.total().limit), (1, 3));
    let waiter = gate.expect_queued(5, ticket());
    drop((running, waiter));
    assert_empty(gate);
}

/// Whoever knows the key by then goes by what it has.
#[test]
fn of_two_plans_for_one_key_the_first_that_is_used_counts() {
    let inside: Arc<OnceLock<TestKeyedGate<u8>>> = Arc::default();
    let asked = Arc::clone(&inside);
    let answers = std::sync::Mutex::new(vec![7, 1, 3]);
    let held = Arc::new(std::sync::Mutex::new(None));
    let holds = Arc::clone(&held);
    let plan = move |_: &u8| {
        let answer = answers.lock().unwrap().pop().expect("asked three times");
        if answer == 3 {
            let gate = asked.get().expect("it was set before the first call");
            *holds.lock().unwrap() = Some(gate.expect_admitted(0, ticket()));
        }
        KeyPlan::new(limit(answer))
    };
    let gate = TestKeyedGate::on(KeyedGate::with_plans(&options(9, 9), plan));
    let gate = inside.get_or_init(|| gate);
    let waiter = gate.expect_queued(0, ticket());
    assert_eq!(gate.gate().key(&0).map(|key| key.limit), Some(1));
    drop(waiter);
    drop(held.lock().unwrap().take());
    let again = gate.expect_admitted(0, ticket());
    assert_eq!(gate.gate().key(&0).map(|key| key.limit), Some(7));
    drop(again);
    assert_empty(gate);
}

/// The copies that a view passes over are the gate's to drop.
#[test]
fn a_copy_that_panics_as_a_view_passes_over_it_spoils_nothing() {
    let gate: Gate = TestKeyedGate::new(&options(99, 9));
    let armed = Rc::new(Cell::new(false));
    let bang = |id| {
        let armed = Rc::clone(&armed);
        let explode = move || {
            if armed.replace(false) {
                resume_unwind(Box::new("a bang"));
            }
        };
        Parting(id, Rc::new(explode))
    };
    let permits = rising(&gate, bang);
    armed.set(true);
    let top = catch_unwind(AssertUnwindSafe(|| gate.gate().top(2)));
    assert_eq!(top.map(|top| top.len()).ok(), Some(2));
    drop(permits);
    assert_empty(&gate);
}
