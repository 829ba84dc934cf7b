//! A gate beside its model: one limit, one line.

#![cfg(not(inflight_loom))]

mod gate;
#[path = "../harness/harness.rs"]
mod harness;
mod model;
mod setup;

use proptest::collection::vec;
use proptest::prelude::*;

use self::harness::books::Books;
use self::harness::setup::starts;
use self::harness::situations::expect_situations;
use self::harness::step::steps;
use self::harness::world::World;
use self::setup::options;

proptest! {
    // K17, F65
    #[test]
    fn the_gate_does_as_its_model(
        options in options(),
        start in starts(),
        steps in vec(steps(Just(()), Just(None)), 0..150),
    ) {
        World::<Books<()>>::run(&options, start, steps);
    }
}

#[test]
fn every_situation_is_reached() {
    expect_situations::<Books<()>>(
        options(),
        steps(Just(()), Just(None)),
        &[
            "LimitReached on arrival",
            "QueueFull on arrival",
            "a heavy one is admitted alone",
            "a heavy one is granted alone",
        ],
    );
}
