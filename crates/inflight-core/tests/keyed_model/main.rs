//! Any order of events under several keys, beside a model that is too simple to
//! be wrong.
//!
//! After every step both give the same answers and show the same numbers, and
//! the gate has woken exactly those that the model answered, in that order.

#![cfg(not(inflight_loom))]

mod answer;
mod caller;
mod calls;
mod check;
mod gate;
mod model;
mod note;
mod setup;
mod situation;
mod step;
mod turns;
mod waiting;
mod wakes;
mod watchers;
mod world;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use self::setup::{Setup, setups};
use self::situation::Situation;
use self::step::{Step, steps};
use self::world::World;

proptest! {
    // F149, F155, F157
    #[test]
    fn the_keyed_gate_does_as_its_model(setup in setups(), steps in vec(steps(), 0..150)) {
        World::run(&setup, steps);
    }
}

/// Holds the generators to what they are for.
#[test]
fn every_situation_is_reached() {
    const CASES: usize = 256;
    let strategy = (setups(), vec(steps(), 150));
    let mut runner = TestRunner::deterministic();
    let mut seen = Vec::new();
    for _ in 0..CASES {
        let (setup, steps): (Setup, Vec<Step>) = strategy.new_tree(&mut runner).unwrap().current();
        seen.extend(World::run(&setup, steps));
    }
    let missed: Vec<_> = Situation::ALL
        .iter()
        .filter(|situation| seen.iter().filter(|seen| seen == situation).count() < 3)
        .collect();
    assert!(
        missed.is_empty(),
        "reached fewer than three times: {missed:?}"
    );
}
