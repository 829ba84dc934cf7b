use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use inflight_core::{KeyedHost, KeyedOptions};
use inflight_test::TestKeyedGate;

use crate::gates::{assert_empty, gate, granted, limit, lineless, options, ticket};

/// All have the same hash.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Same(u8);

impl Hash for Same {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

// F147
#[test]
fn a_key_is_forgotten_the_moment_nothing_runs_or_waits_under_it() {
    let gate = gate(9, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiter = gate.expect_queued("a", ticket());
    waiter.expect_pending();
    drop(running);
    assert_eq!(gate.gate().keys(), 1, "a grant that nobody fetched is work");
    drop(granted(&mut waiter));
    assert_empty(&gate);
    let again = gate.expect_admitted("a", ticket());
    assert_eq!(gate.gate().keys(), 1);
    drop(again);
}

// F151
#[test]
fn calls_that_are_dropped_or_panic_or_never_run_leave_no_key() {
    let gate: TestKeyedGate<u32> = TestKeyedGate::new(&options(2_000, 1));
    for key in 0..1_000 {
        let running = gate.expect_admitted(key, ticket());
        let mut polled = gate.expect_queued(key, ticket());
        polled.expect_pending();
        let granted = gate.expect_queued(key, ticket());
        match key % 3 {
            0 => drop((polled, running, granted)),
            1 => drop((running, polled, granted)),
            _ => {
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    let _all = (granted, running, polled);
                    resume_unwind(Box::new("the work panics"));
                }));
                assert!(outcome.is_err());
            }
        }
    }
    assert_empty(&gate);
}

// F153
#[test]
fn keys_of_one_hash_are_different_keys() {
    let gate = TestKeyedGate::new(&options(9, 1));
    let outer = gate.expect_admitted(Same(1), ticket());
    let inner = gate.expect_admitted(Same(2), ticket());
    let third = gate.expect_admitted(Same(3), ticket());
    assert_eq!(gate.gate().keys(), 3);
    let mut waiter = gate.expect_queued(Same(2), ticket());
    waiter.expect_pending();
    drop(outer);
    assert!(!waiter.is_woken());
    drop(inner);
    drop(waiter.expect_ready().expect("its key has room"));
    assert_eq!(gate.gate().keys(), 1);
    let again = gate.expect_admitted(Same(1), ticket());
    drop((third, again));
    assert_empty(&gate);
}

// F155
#[test]
fn a_release_gives_the_total_back_whatever_became_of_its_key() {
    let gate = lineless(2, 1);
    let running = gate.expect_admitted("a", ticket());
    assert!(gate.set_key_limit(&"a", limit(1)));
    drop(running);
    assert_eq!(gate.total().available, 2);
    let both = ["a", "b"].map(|key| gate.expect_admitted(key, ticket()));
    drop(both);
    assert_eq!(gate.total().available, 2);
    assert_empty(&gate);
}

// F157
#[test]
fn the_last_two_calls_of_a_key_end_in_either_order_and_other_keys_stay() {
    for in_order in [true, false] {
        let gate = TestKeyedGate::new(&KeyedOptions::new(limit(9), limit(2)));
        let others: Vec<_> = (0..3)
            .map(|key| gate.expect_admitted(Same(key), ticket()))
            .collect();
        let [first, second] = [0, 1].map(|_| gate.expect_admitted(Same(9), ticket()));
        let (first, second) = if in_order {
            (first, second)
        } else {
            (second, first)
        };
        drop(first);
        assert_eq!(gate.gate().key(&Same(9)).map(|key| key.in_flight), Some(1));
        let replaced = gate.expect_admitted(Same(9), ticket());
        drop(second);
        drop(replaced);
        assert_eq!(gate.gate().key(&Same(9)), None);
        for key in 0..3 {
            let seen = gate.gate().key(&Same(key)).map(|key| key.in_flight);
            assert_eq!(seen, Some(1));
        }
        drop(others);
        assert_empty(&gate);
    }
}
