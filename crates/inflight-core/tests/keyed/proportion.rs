use std::collections::VecDeque;
use std::num::NonZeroU32;

use inflight_core::{
    Fairness, KeyPlan, KeyedArrival, KeyedGate, KeyedHost, KeyedOptions, KeyedPermit, Limit,
};
use inflight_test::{KeyedQueued, Task, TestKeyedGate};

use crate::gates::{options, weighing};

type Gate = TestKeyedGate<usize>;

/// Keys of whom somebody always waits, each caller as heavy as chance has it.
struct Crowd {
    gate: Gate,
    shares: Vec<u32>,
    heaviest: u32,
    lines: Vec<VecDeque<Task<KeyedQueued<Gate>>>>,
    running: VecDeque<KeyedPermit<Gate>>,
    /// What each key was given.
    served: Vec<u128>,
    chance: u64,
}

impl Crowd {
    fn new(shares: &[u32], heaviest: u32) -> Self {
        let options = KeyedOptions {
            fairness: Fairness::RoundRobin,
            ..options(usize::try_from(heaviest).expect("it is a limit"), 1)
        };
        let shares = shares.to_vec();
        let of_keys = shares.clone();
        let plan = move |key: &usize| {
            let share = of_keys.get(*key).copied().and_then(NonZeroU32::new);
            KeyPlan::new(Limit::MAX).with_share(share.unwrap_or(NonZeroU32::MIN))
        };
        let gate = TestKeyedGate::on(KeyedGate::with_plans(&options, plan));
        let first = gate.expect_admitted(shares.len(), weighing(heaviest));
        let mut crowd = Self {
            gate,
            heaviest,
            lines: shares.iter().map(|_| VecDeque::new()).collect(),
            running: VecDeque::from([first]),
            served: vec![0; shares.len()],
            shares,
            chance: 1,
        };
        for key in 0..crowd.shares.len() {
            (0..DEPTH).for_each(|_| crowd.join(key));
        }
        crowd
    }

    /// Whoever need not wait runs at once, and another comes in its stead.
    fn join(&mut self, key: usize) {
        loop {
            let weight = weighing(self.weight());
            match self.gate.arrive(key, weight) {
                KeyedArrival::Admitted(permit) => self.run(key, permit),
                KeyedArrival::Queued(waiter) => {
                    let mut waiter = Task::new(KeyedQueued::new(waiter));
                    waiter.expect_pending();
                    return self.lines[key].push_back(waiter);
                }
                KeyedArrival::Refused(refusal) => panic!("there are places: {refusal:?}"),
            }
        }
    }

    fn run(&mut self, key: usize, permit: KeyedPermit<Gate>) {
        self.served[key] += u128::from(permit.weight());
        self.running.push_back(permit);
    }

    /// The one who has run longest ends.
    fn serve(&mut self) {
        drop(self.running.pop_front());
        for key in 0..self.lines.len() {
            while self.lines[key].front().is_some_and(Task::is_woken) {
                let next = self.lines[key].pop_front();
                let permit = next.map(|mut next| next.expect_ready().expect("it was granted"));
                self.run(key, permit.expect("it is there"));
                self.join(key);
            }
        }
    }

    fn weight(&mut self) -> u32 {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005);
        self.chance = self.chance.wrapping_add(1_442_695_040_888_963_407);
        let upper = u32::try_from(self.chance >> 32).expect("32 bits are left");
        upper % self.heaviest + 1
    }

    /// No two keys are further apart, by their shares, than one call of each.
    fn assert_fair(&self) {
        let heaviest = u128::from(self.heaviest);
        let keys = || {
            self.shares
                .iter()
                .copied()
                .map(u128::from)
                .zip(&self.served)
        };
        for (share, served) in keys() {
            for (other_share, other) in keys() {
                let apart = (served * other_share).abs_diff(other * share);
                let bound = heaviest * (share + other_share);
                assert!(apart <= bound, "{:?} of {:?}", self.served, self.shares);
            }
        }
    }
}

/// The bound of start-time fair queueing, for weights that differ.
#[test]
fn in_turns_no_key_is_ahead_of_another_by_more_than_a_call_of_each() {
    for (shares, heaviest) in [
        ([1, 1, 1], 1),
        ([1, 2, 5], 9),
        ([u32::MAX, u32::MAX - 1, 1 << 31], 9),
        ([5, 1000, u32::MAX], (1 << 30) - 1),
    ] {
        let mut crowd = Crowd::new(&shares, heaviest);
        for _ in 0..500 {
            crowd.serve();
            crowd.assert_fair();
        }
    }
}

/// More than can be let in at once.
const DEPTH: usize = 64;
