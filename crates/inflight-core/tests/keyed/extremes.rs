use std::num::NonZeroU32;
use std::time::Duration;

use inflight_core::{
    Fairness, KeyPlan, KeyedGate, KeyedHost, KeyedOptions, KeyedPermit, Limit, Reason, Ticket,
};
use inflight_test::TestKeyedGate;

use crate::gates::{
    Gate, assert_empty, gate, granted, limit, options, prior, refused, ticket, waiting, weighing,
};

const MOST: u32 = (1 << 31) - 1;

/// Those who have no time at all: where there is room they are let in.
#[test]
fn a_queue_timeout_of_zero_lets_in_what_fits_and_nobody_else() {
    let gate: Gate = TestKeyedGate::new(&KeyedOptions {
        queue_timeout: Some(Duration::ZERO),
        ..options(2, 1)
    });
    let a = gate.expect_admitted("a", ticket());
    let of_key = gate.expect_refused("a", ticket());
    assert_eq!(of_key.reason(), Reason::QueueTimeout);
    assert!(of_key.is_of_key());
    let b = gate.expect_admitted("b", ticket());
    let of_total = gate.expect_refused("c", ticket());
    assert_eq!(of_total.reason(), Reason::QueueTimeout);
    assert!(!of_total.is_of_key());
    assert_eq!((gate.total().in_flight, gate.total().queued), (2, 0));
    drop((a, b));
    assert_empty(&gate);
}

#[test]
fn the_heaviest_call_fits_exactly_and_nothing_overflows() {
    let most = usize::try_from(MOST).unwrap();
    let gate = gate(most, most);
    for weight in [1 << 31, u32::MAX] {
        let refusal = gate.expect_refused("a", weighing(weight));
        assert_eq!(refusal.reason(), Reason::TooHeavy);
    }
    let heavy = gate.expect_admitted("a", weighing(MOST));
    assert_eq!(gate.total().in_flight, most);
    let mut same = gate.expect_queued("a", weighing(MOST));
    let mut other = gate.expect_queued("b", weighing(MOST));
    let mut light = gate.expect_queued("b", ticket());
    for waiter in [&mut same, &mut other, &mut light] {
        waiter.expect_pending();
    }
    assert!(gate.set_key_limit(&"b", Limit::ONE));
    gate.set_limit(Limit::ONE);
    drop(heavy);
    let same = granted(&mut same);
    other.expect_pending();
    drop(same);
    let other = granted(&mut other);
    light.expect_pending();
    assert_eq!(gate.total().in_flight, most);
    drop(other);
    drop(granted(&mut light));
    assert_empty(&gate);
}

/// A key's limit has fallen below what one of its callers weighs: that one runs
/// alone under its key, beside the others.
#[test]
fn a_caller_that_became_heavier_than_its_key_runs_beside_other_keys() {
    let gate = gate(10, 5);
    let first = gate.expect_admitted("a", weighing(2));
    let mut heavy = gate.expect_queued("a", weighing(4));
    let mut behind = gate.expect_queued("a", ticket());
    let other = gate.expect_admitted("b", weighing(5));
    heavy.expect_pending();
    behind.expect_pending();
    assert!(gate.set_key_limit(&"a", limit(1)));
    assert!(!heavy.is_woken());
    drop(first);
    let heavy = granted(&mut heavy);
    behind.expect_pending();
    assert_eq!(gate.gate().key(&"a").map(|key| key.available), Some(0));
    drop((heavy, other));
    drop(granted(&mut behind));
    assert_empty(&gate);
}

/// Heavier than the total has become, and first of all: everything drains for
/// it, and then goes on.
#[test]
fn a_caller_that_became_heavier_than_the_total_holds_all_keys_up_and_then_runs() {
    let gate = gate(4, 4);
    let first = gate.expect_admitted("a", weighing(3));
    let mut heavy = gate.expect_queued("b", weighing(4));
    let mut light = gate.expect_queued("c", ticket());
    heavy.expect_pending();
    light.expect_pending();
    gate.set_limit(limit(2));
    assert_eq!(
        gate.try_arrive("d", ticket()).unwrap_err().reason(),
        Reason::TotalLimit
    );
    drop(first);
    let heavy = granted(&mut heavy);
    light.expect_pending();
    drop(heavy);
    drop(granted(&mut light));
    assert_empty(&gate);
}

type Shares = TestKeyedGate<(u32, u32)>;

/// The first part of a key is its share.
fn by_shares(total: usize) -> Shares {
    let options = KeyedOptions {
        fairness: Fairness::RoundRobin,
        ..options(total, total)
    };
    let plan = |&(share, _): &(u32, u32)| {
        let share = NonZeroU32::new(share).expect("tests give shares");
        KeyPlan::new(Limit::MAX).with_share(share)
    };
    TestKeyedGate::on(KeyedGate::with_plans(&options, plan))
}

/// Who is served how often, if each key always wants more.
fn serve(
    gate: &Shares,
    mut held: KeyedPermit<Shares>,
    keys: &[(u32, u32)],
    weight: u32,
    rounds: usize,
) -> Vec<usize> {
    let queue = |key| {
        let mut waiter = gate.expect_queued(key, weighing(weight));
        waiter.expect_pending();
        waiter
    };
    let mut waiters: Vec<_> = keys.iter().map(|key| [queue(*key), queue(*key)]).collect();
    let mut served = vec![0; keys.len()];
    for _ in 0..rounds {
        drop(held);
        let next = waiters.iter().position(|of_key| of_key[0].is_woken());
        let next = next.expect("somebody is next");
        served[next] += 1;
        held = waiters[next][0].expect_ready().expect("it was granted");
        waiters[next].swap(0, 1);
        waiters[next][1] = queue(keys[next]);
    }
    served
}

#[test]
fn the_largest_shares_and_weights_go_on_for_ever() {
    let total = usize::try_from(MOST).unwrap();
    let gate = by_shares(total);
    let held = gate.expect_admitted((1, 9), weighing(MOST));
    let keys = [(u32::MAX, 0), (1, 1), (u32::MAX / 2, 2)];
    let served = serve(&gate, held, &keys, MOST, 3000);
    assert_eq!(served[1], 1, "once, and then in some billions of turns");
    assert!(served[0].abs_diff(2 * served[2]) <= 3, "{served:?}");
    assert_empty(&gate);
}

/// The heaviest go in turns as the lightest do.
#[test]
fn equal_shares_are_equal_at_both_ends_of_their_range() {
    for (share, weight) in [(1, MOST), (1, 1), (u32::MAX, MOST), (u32::MAX, 1)] {
        let gate = by_shares(usize::try_from(weight).unwrap());
        let held = gate.expect_admitted((share, 9), weighing(weight));
        let keys = [(share, 0), (share, 1), (share, 2)];
        let served = serve(&gate, held, &keys, weight, 300);
        assert_eq!(served, [100, 100, 100], "{share} {weight}");
        assert_empty(&gate);
    }
}

/// A caller that waits by priority makes way for one of its own key only where
/// all the places are taken by others.
#[test]
fn the_line_of_all_keys_is_full_and_each_key_evicts_its_own() {
    let gate = TestKeyedGate::new(&KeyedOptions {
        queue_limit: 3,
        by_priority: true,
        ..options(1, 1)
    });
    let running = gate.expect_admitted("x", ticket());
    let mut low = gate.expect_queued("a", prior(-1));
    let mut high = gate.expect_queued("a", prior(5));
    let mut other = gate.expect_queued("b", prior(-9));
    for waiter in [&mut low, &mut high, &mut other] {
        waiter.expect_pending();
    }
    let nobody = gate.expect_refused("c", prior(i32::MAX));
    assert_eq!(nobody.reason(), Reason::TotalQueueFull);
    let equal = gate.expect_refused("b", prior(-9));
    assert_eq!(equal.reason(), Reason::TotalQueueFull);
    let mut best = gate.expect_queued("a", prior(9));
    best.expect_pending();
    let evicted = refused(&mut low);
    assert_eq!(evicted.reason(), Reason::QueueEvicted);
    assert!(!evicted.is_of_key(), "the line of all keys was full");
    drop(running);
    // Its key is where its next caller stands, who came last.
    let other = granted(&mut other);
    drop(other);
    let best = granted(&mut best);
    drop(best);
    drop(granted(&mut high));
    assert_empty(&gate);
}

/// A deadline that the clock has left behind comes again.
#[test]
fn a_clock_that_goes_back_makes_nobody_late_and_loses_nobody() {
    let gate = gate(1, 1);
    gate.clock().set(100);
    let running = gate.expect_admitted("a", ticket());
    let mut soon = gate.expect_queued("a", waiting(10));
    let mut next = gate.expect_queued("b", waiting(10));
    soon.expect_pending();
    next.expect_pending();
    gate.clock().set(0);
    let mut early = gate.expect_queued("c", waiting(10));
    early.expect_pending();
    gate.clock().set(10);
    let late = refused(&mut early);
    assert_eq!(late.reason(), Reason::QueueTimeout);
    soon.expect_pending();
    gate.clock().set(3);
    drop(running);
    drop(granted(&mut soon));
    drop(granted(&mut next));
    assert_empty(&gate);
}

/// At the end of time a deadline cannot come any more.
#[test]
fn at_the_end_of_time_callers_wait_without_a_deadline() {
    let gate = gate(1, 1);
    gate.clock().set(u64::MAX);
    let running = gate.expect_admitted("a", ticket());
    let mut waiter = gate.expect_queued("b", waiting(1));
    waiter.expect_pending();
    drop(running);
    drop(granted(&mut waiter));
    assert_empty(&gate);
}

/// Tens of thousands of keys at once, and none of them is left.
#[test]
fn huge_numbers_of_keys_come_wait_and_go() {
    const KEYS: usize = 20_000;
    let gate: TestKeyedGate<usize> = TestKeyedGate::new(&KeyedOptions {
        max_keys: KEYS,
        fairness: Fairness::RoundRobin,
        ..options(KEYS / 2, 1)
    });
    let held: Vec<_> = (0..KEYS / 2)
        .map(|key| gate.expect_admitted(key, ticket()))
        .collect();
    let mut waiters: Vec<_> = (KEYS / 2..KEYS)
        .map(|key| gate.expect_queued(key, Ticket::new()))
        .collect();
    for waiter in &mut waiters {
        waiter.expect_pending();
    }
    let refusal = gate.expect_refused(KEYS, ticket());
    assert_eq!(refusal.reason(), Reason::TooManyKeys);
    let top = gate.gate().top(usize::MAX);
    assert_eq!(top.len(), KEYS);
    assert!(
        top.iter()
            .all(|load| load.numbers.in_flight + load.numbers.queued == 1)
    );
    drop(held);
    assert!(waiters.iter().all(inflight_test::Task::is_woken));
    drop(waiters);
    assert_empty(&gate);
}
