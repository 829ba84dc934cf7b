use std::num::NonZeroU32;

use inflight_core::{Fairness, KeyPlan, KeyedGate, KeyedHost, KeyedOptions};
use inflight_test::TestKeyedGate;

use crate::gates::{
    Gate, Queued, assert_empty, gate, granted, limit, options, serve, ticket, weighing,
};

fn in_turns(total: usize, key: usize) -> KeyedOptions {
    KeyedOptions {
        fairness: Fairness::RoundRobin,
        ..options(total, key)
    }
}

fn turns(total: usize, key: usize) -> Gate {
    TestKeyedGate::new(&in_turns(total, key))
}

/// Keys that begin with a digit have that for a share.
fn with_shares(total: usize) -> Gate {
    let plan = |key: &&str| {
        let share = key[..1].parse().unwrap_or(NonZeroU32::MIN);
        KeyPlan::new(limit(9)).with_share(share)
    };
    TestKeyedGate::on(KeyedGate::with_plans(&in_turns(total, 9), plan))
}

fn queue(gate: &Gate, keys: &[&'static str]) -> Vec<(&'static str, Queued)> {
    keys.iter()
        .map(|key| (*key, gate.expect_queued(key, ticket())))
        .collect()
}

fn count(served: &[&str], key: &str) -> usize {
    served.iter().filter(|served| **served == key).count()
}

#[test]
fn by_arrival_whoever_came_first_is_next_whatever_the_key() {
    let gate = gate(1, 1);
    let running = gate.expect_admitted("x", ticket());
    let waiters = queue(&gate, &["a", "a", "b", "a", "c", "b"]);
    assert_eq!(serve(running, waiters), ["a", "a", "b", "a", "c", "b"]);
    assert_empty(&gate);
}

#[test]
fn by_arrival_a_key_that_was_full_is_back_where_its_caller_stood() {
    let gate = gate(2, 1);
    let a = gate.expect_admitted("a", ticket());
    let x = gate.expect_admitted("x", ticket());
    let mut early = gate.expect_queued("a", ticket());
    let mut late = gate.expect_queued("b", ticket());
    let mut last = gate.expect_queued("c", ticket());
    drop(a);
    let early = granted(&mut early);
    drop(x);
    let late = granted(&mut late);
    last.expect_pending();
    drop(early);
    drop((granted(&mut last), late));
    assert_empty(&gate);
}

#[test]
fn in_turns_a_key_with_many_callers_gets_no_more_than_one_with_few() {
    let gate = turns(1, 1);
    let running = gate.expect_admitted("x", ticket());
    let waiters = queue(&gate, &["a", "a", "a", "a", "b", "b", "c"]);
    assert_eq!(serve(running, waiters), ["a", "b", "c", "a", "b", "a", "a"]);
    assert_empty(&gate);
}

#[test]
fn in_turns_the_slots_go_by_the_shares() {
    let gate = with_shares(1);
    let running = gate.expect_admitted("x", ticket());
    let mut keys = vec!["3"; 60];
    keys.extend(["1"; 60]);
    let served = serve(running, queue(&gate, &keys));
    for round in served[..40].chunks(4) {
        assert_eq!((count(round, "3"), count(round, "1")), (3, 1), "{round:?}");
    }
    assert_empty(&gate);
}

#[test]
fn in_turns_a_call_counts_as_much_as_it_weighs() {
    let gate = turns(2, 2);
    let running = gate.expect_admitted("x", weighing(2));
    let mut waiters: Vec<_> = (0..10)
        .map(|_| ("heavy", gate.expect_queued("heavy", weighing(2))))
        .collect();
    waiters.extend((0..20).map(|_| ("light", gate.expect_queued("light", ticket()))));
    let served = serve(running, waiters);
    let half = &served[..15];
    let (heavy, light) = (count(half, "heavy"), count(half, "light"));
    assert!(light.abs_diff(2 * heavy) <= 2, "{heavy} and {light}");
}

/// The last of these take more time than fits one word.
#[test]
fn in_turns_only_the_ratio_of_the_weights_counts() {
    for unit in [1, 1 << 10, 1 << 16, 1 << 20] {
        let gate = turns(5 << 20, 5 << 20);
        let running = gate.expect_admitted("x", weighing(5 << 20));
        let mut waiters = Vec::new();
        for (key, weight, calls) in [("a", 5 * unit, 2), ("b", 2 * unit, 5)] {
            waiters.extend((0..calls).map(|_| (key, gate.expect_queued(key, weighing(weight)))));
        }
        gate.set_limit(limit(1));
        assert_eq!(serve(running, waiters), ["a", "b", "b", "b", "a", "b", "b"]);
        assert_empty(&gate);
    }
}

/// Nobody else can use what is left, and the heavy one has had more than its
/// turn.
#[test]
fn in_turns_a_light_newcomer_passes_a_heavy_caller_whose_turn_is_later() {
    let gate = turns(4, 9);
    let running = gate.expect_admitted("x", weighing(4));
    let mut served = gate.expect_queued("heavy", weighing(2));
    let mut later = gate.expect_queued("heavy", weighing(3));
    let rival = gate.expect_queued("rival", weighing(4));
    drop(running);
    let served = granted(&mut served);
    drop(rival);
    later.expect_pending();
    let light = ["a", "b"].map(|key| gate.expect_admitted(key, ticket()));
    drop((light, served));
    drop(granted(&mut later));
    assert_empty(&gate);
}

/// Without a clock that also runs by itself, they would all start where it
/// stands, and a key that was served once would never be next again.
#[test]
fn in_turns_no_endless_stream_of_new_keys_keeps_a_key_waiting() {
    let gate: TestKeyedGate<u32> = TestKeyedGate::new(&in_turns(1, 1));
    let mut running = gate.expect_admitted(0, ticket());
    let mut patient = [0, 1, 2].map(|_| gate.expect_queued(1, ticket()));
    for waiter in &mut patient {
        waiter.expect_pending();
    }
    let mut fresh = 2;
    for waiter in &mut patient {
        let mut passed = 0;
        while !waiter.is_woken() {
            let mut new = gate.expect_queued(fresh, ticket());
            new.expect_pending();
            fresh += 1;
            drop(running);
            if waiter.is_woken() {
                running = waiter.expect_ready().expect("it is its turn");
                break;
            }
            passed += 1;
            assert!(passed <= 4, "it is passed again and again");
            running = new.expect_ready().expect("somebody is next");
        }
    }
    drop(running);
    assert_empty(&gate);
}

#[test]
fn in_turns_a_key_that_could_not_use_its_turns_does_not_save_them_up() {
    let gate = turns(2, 1);
    let full = gate.expect_admitted("a", ticket());
    let mut running = gate.expect_admitted("b", ticket());
    let mut of_a: Vec<_> = (0..5).map(|_| gate.expect_queued("a", ticket())).collect();
    let mut of_b: Vec<_> = (0..9).map(|_| gate.expect_queued("b", ticket())).collect();
    for waiter in &mut of_b[..5] {
        drop(running);
        running = granted(waiter);
    }
    assert!(gate.set_key_limit(&"a", limit(2)));
    let mut of_c = gate.expect_queued("c", ticket());
    drop(running);
    let first = granted(&mut of_a[0]);
    drop(first);
    let next = granted(&mut of_c);
    of_a[1].expect_pending();
    drop((next, full));
}

/// Jain's index: 1 if all get the same, 1/n if one gets it all.
fn jain(shares: &[usize]) -> f64 {
    let total: usize = shares.iter().sum();
    let squares: usize = shares.iter().map(|share| share * share).sum();
    #[expect(clippy::cast_precision_loss, reason = "a few hundred grants")]
    {
        (total * total) as f64 / (shares.len() * squares) as f64
    }
}

/// Ten keys want more than there is, one of them 50 times as much as each of
/// the others.
#[test]
fn in_turns_keys_of_very_different_demand_get_the_same() {
    let index = |fairness| {
        let gate: TestKeyedGate<usize> = TestKeyedGate::new(&KeyedOptions {
            fairness,
            ..options(1, 1)
        });
        let mut running = Some(gate.expect_admitted(99, ticket()));
        let mut waiters: Vec<_> = (0..3000)
            .map(|n| n * 7919 % 59)
            .map(|n| if n < 50 { 0 } else { 1 + n % 9 })
            .map(|key| (key, gate.expect_queued(key, ticket())))
            .collect();
        for (_, waiter) in &mut waiters {
            waiter.expect_pending();
        }
        let mut served = [0_usize; 10];
        for _ in 0..300 {
            drop(running.take());
            let next = waiters.iter().position(|(_, waiter)| waiter.is_woken());
            let (key, mut waiter) = waiters.swap_remove(next.expect("somebody is next"));
            running = Some(waiter.expect_ready().expect("it was granted"));
            served[key] += 1;
        }
        jain(&served)
    };
    assert!(index(Fairness::RoundRobin) > 0.999);
    assert!(index(Fairness::Arrival) < 0.2);
}
