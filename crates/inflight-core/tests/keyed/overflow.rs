use std::num::NonZeroU32;

use inflight_core::{KeyOverflow, KeyPlan, KeyedHost, KeyedOptions, Reason};
use inflight_test::TestKeyedGate;

use crate::gates::{Gate, assert_empty, granted, limit, options, ticket};

fn keeping(max_keys: usize, overflow: KeyOverflow) -> Gate {
    TestKeyedGate::new(&KeyedOptions {
        max_keys,
        overflow,
        ..options(100, 1)
    })
}

// F149
#[test]
fn a_key_that_is_in_use_is_never_dropped_to_make_place() {
    let gate = keeping(2, KeyOverflow::Refuse);
    let k1 = gate.expect_admitted("k1", ticket());
    let k2 = gate.expect_admitted("k2", ticket());
    for key in ["k3", "k4"] {
        let refusal = gate.expect_refused(key, ticket());
        assert_eq!(refusal.reason(), Reason::TooManyKeys);
        assert_eq!((refusal.limit(), refusal.in_flight()), (2, 2));
    }
    let mut again = gate.expect_queued("k1", ticket());
    again.expect_pending();
    drop(k1);
    let again = granted(&mut again);
    drop(again);
    let k3 = gate.expect_admitted("k3", ticket());
    drop((k2, k3));
    assert_empty(&gate);
}

// F149
#[test]
fn keys_beyond_the_bound_share_one_if_that_is_asked() {
    let plan = KeyPlan::new(limit(2)).with_share(NonZeroU32::MIN);
    let gate = keeping(1, KeyOverflow::Share(plan));
    let own = gate.expect_admitted("k1", ticket());
    let shared = ["k2", "k3"].map(|key| gate.expect_admitted(key, ticket()));
    let mut waiter = gate.expect_queued("k4", ticket());
    waiter.expect_pending();
    assert_eq!(gate.gate().keys(), 1);
    let top = gate.gate().top(1);
    assert_eq!((top[0].key, top[0].numbers.in_flight), (None, 2));
    assert_eq!(top[0].numbers.queued, 1);

    drop(own);
    let k4 = gate.expect_admitted("k4", ticket());
    assert_eq!(
        gate.gate().keys(),
        1,
        "there was place for a key of its own"
    );
    drop(shared);
    drop(granted(&mut waiter));
    drop(k4);
    assert_empty(&gate);
    assert_eq!(gate.gate().top(9), Vec::new());
}

#[test]
fn a_refused_call_leaves_no_key_behind() {
    let gate = keeping(1, KeyOverflow::Refuse);
    let total = gate.expect_admitted("k1", ticket().with_weight(1));
    assert!(gate.try_arrive("k1", ticket()).is_err());
    drop(total);
    let heavy = ticket().with_weight(2);
    assert_eq!(gate.expect_refused("k2", heavy).reason(), Reason::TooHeavy);
    assert_eq!(gate.gate().keys(), 0);
    drop(gate.expect_admitted("k3", ticket()));
    assert_empty(&gate);
}

#[test]
fn a_closed_gate_says_so_however_many_keys_there_are() {
    let gate = keeping(1, KeyOverflow::Refuse);
    let _running = gate.expect_admitted("k1", ticket());
    gate.close();
    assert_eq!(gate.expect_refused("k2", ticket()).reason(), Reason::Closed);
}
