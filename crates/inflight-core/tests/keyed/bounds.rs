use inflight_core::{KeyedArrival, KeyedHost, Reason};
use inflight_test::TestKeyedGate;

use crate::gates::{assert_empty, gate, granted, limit, lineless, options, ticket, weighing};

#[test]
fn a_call_runs_when_its_key_and_the_total_have_room() {
    let gate = lineless(2, 1);
    let first = gate.expect_admitted("a", ticket());
    assert_eq!(
        gate.expect_refused("a", ticket()).reason(),
        Reason::KeyLimit
    );
    let second = gate.expect_admitted("b", ticket());
    assert_eq!(
        gate.expect_refused("c", ticket()).reason(),
        Reason::TotalLimit
    );
    drop(first);
    let third = gate.expect_admitted("c", ticket());
    drop((second, third));
    assert_empty(&gate);
}

#[test]
fn a_call_whose_key_is_full_waits_without_holding_anything_of_the_total() {
    let gate = gate(2, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiting = gate.expect_queued("a", ticket());
    waiting.expect_pending();
    assert_eq!(gate.total().available, 1);
    assert!(gate.gate().has_room());
    let other = gate.expect_admitted("b", ticket());
    drop(other);
    assert!(!waiting.is_woken(), "its own key is still full");
    drop(running);
    assert!(waiting.is_woken());
    drop(granted(&mut waiting));
    assert_empty(&gate);
}

#[test]
fn a_free_slot_goes_to_the_first_waiter_whose_key_has_room() {
    let gate = gate(2, 1);
    let a = gate.expect_admitted("a", ticket());
    let b = gate.expect_admitted("b", ticket());
    let mut blocked = gate.expect_queued("a", ticket());
    let mut next = gate.expect_queued("c", ticket());
    blocked.expect_pending();
    next.expect_pending();
    drop(b);
    assert!(!blocked.is_woken() && next.is_woken());
    let c = granted(&mut next);
    drop(a);
    let again = granted(&mut blocked);
    drop((c, again));
    assert_empty(&gate);
}

#[test]
fn one_release_can_let_a_key_in_and_leave_room_for_another() {
    let gate = gate(4, 2);
    let heavy = gate.expect_admitted("a", weighing(2));
    let other = gate.expect_admitted("b", weighing(2));
    let mut light = gate.expect_queued("a", ticket());
    let mut elsewhere = gate.expect_queued("c", ticket());
    drop(heavy);
    let light = granted(&mut light);
    let elsewhere = granted(&mut elsewhere);
    assert_eq!(gate.total().in_flight, 4);
    drop((light, elsewhere, other));
    assert_empty(&gate);
}

#[test]
fn a_caller_that_does_not_wait_never_passes_one_that_does() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("a", ticket());
    let mut waiting = gate.expect_queued("b", ticket());
    let refusal = gate.try_arrive("c", ticket()).unwrap_err();
    assert_eq!(refusal.reason(), Reason::TotalLimit);
    let refusal = gate.try_arrive("a", ticket()).unwrap_err();
    assert_eq!(refusal.reason(), Reason::KeyLimit);
    drop(running);
    assert!(
        gate.try_arrive("c", ticket()).is_err(),
        "it was handed over"
    );
    drop(granted(&mut waiting));
    assert!(gate.try_arrive("c", ticket()).is_ok());
}

/// F68: the head of a key's line waits for room of its own, and nobody of the
/// key passes it; other keys do.
#[test]
fn a_heavy_caller_holds_up_its_own_key_and_no_other() {
    let gate = gate(10, 3);
    let running = gate.expect_admitted("a", weighing(2));
    let mut heavy = gate.expect_queued("a", weighing(2));
    let mut light = gate.expect_queued("a", ticket());
    let other = gate.expect_admitted("b", weighing(3));
    drop(running);
    let (heavy, light) = (granted(&mut heavy), granted(&mut light));
    drop((heavy, light, other));
    assert_empty(&gate);
}

/// What is next of all is waited for, also where a lighter one would fit.
#[test]
fn a_heavy_caller_that_is_next_of_all_is_passed_by_nobody() {
    let gate = gate(3, 3);
    let running = gate.expect_admitted("a", weighing(2));
    let mut heavy = gate.expect_queued("b", weighing(2));
    let mut light = gate.expect_queued("c", ticket());
    heavy.expect_pending();
    light.expect_pending();
    drop(running);
    let (heavy, light) = (granted(&mut heavy), granted(&mut light));
    drop((heavy, light));
    assert_empty(&gate);
}

#[test]
fn what_is_heavier_than_its_key_or_the_total_may_ever_take_is_refused() {
    let gate = gate(4, 2);
    let refusal = gate.expect_refused("a", weighing(3));
    assert_eq!(refusal.reason(), Reason::TooHeavy);
    assert!(refusal.is_of_key());
    assert_eq!(refusal.limit(), 2);
    let refusal = gate.expect_refused("a", weighing(5));
    assert_eq!(refusal.reason(), Reason::TooHeavy);
    assert!(!refusal.is_of_key());
    assert_eq!(refusal.limit(), 4);
    assert_empty(&gate);
}

#[test]
fn what_is_heavier_than_an_adaptive_total_runs_alone() {
    let mut options = options(1, 4);
    options.max_limit = Some(limit(4));
    let gate = TestKeyedGate::new(&options);
    let running = gate.expect_admitted("a", ticket());
    let mut heavy = gate.expect_queued("b", weighing(3));
    heavy.expect_pending();
    drop(running);
    let heavy = granted(&mut heavy);
    assert_eq!(gate.total().in_flight, 3);
    drop(heavy);
    drop(gate.expect_admitted("c", weighing(4)));
    assert_empty(&gate);
}

#[test]
fn an_exempt_call_takes_nothing_and_is_under_no_key() {
    let gate = lineless(1, 1);
    let running = gate.expect_admitted("a", ticket());
    let exempt = gate.exempt();
    assert_eq!(exempt.weight(), 0);
    assert_eq!((gate.total().in_flight, gate.gate().keys()), (1, 1));
    drop(running);
    drop(exempt);
    assert_empty(&gate);
}

// F181
#[test]
fn a_call_inside_a_call_of_the_same_key_is_refused_or_times_out_and_never_hangs() {
    let gate = lineless(4, 1);
    let outer = gate.expect_admitted("a", ticket());
    assert_eq!(
        gate.expect_refused("a", ticket()).reason(),
        Reason::KeyLimit
    );
    drop(outer);

    let mut options = options(4, 1);
    options.queue_timeout = Some(std::time::Duration::from_nanos(5));
    let gate = TestKeyedGate::new(&options);
    let outer = gate.expect_admitted("a", ticket());
    let KeyedArrival::Queued(mut inner) = gate.arrive("a", ticket()) else {
        panic!("there is a line");
    };
    drop(inner.poll(std::task::Waker::noop()));
    gate.clock().advance(std::time::Duration::from_nanos(5));
    let wait = inner.poll(std::task::Waker::noop());
    assert!(
        matches!(&wait, inflight_core::KeyedWait::Refused(refusal)
            if refusal.reason() == Reason::QueueTimeout),
        "{wait:?}"
    );
    drop(outer);
    assert_empty(&gate);
}

// F183
#[test]
fn callers_that_come_again_and_again_leave_nothing_behind() {
    let gate = lineless(2, 2);
    for _ in 0..3 {
        let held: Vec<_> = (0..1000)
            .filter_map(|_| gate.try_arrive("a", ticket()).ok())
            .collect();
        assert_eq!(held.len(), 2);
        drop(held);
        assert_empty(&gate);
    }
}
