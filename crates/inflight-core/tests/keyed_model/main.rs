//! A keyed gate beside its model: a limit for each key beside one for all.

#![cfg(not(inflight_loom))]

mod account;
mod check;
mod decision;
mod gate;
#[path = "../harness/harness.rs"]
mod harness;
mod model;
mod refusals;
mod setup;
mod turns;

use std::time::Duration;

use inflight_core::{KeyPlan, KeyedOptions, Limit, Ticket};
use proptest::collection::vec;
use proptest::prelude::*;

use self::gate::Key;
use self::harness::setup::{limit_of, starts};
use self::harness::situations::expect_situations;
use self::harness::step::{Step, steps};
use self::harness::world::World;
use self::model::KeyedModel;
use self::setup::{Setup, setups};

proptest! {
    // F149, F155, F157
    #[test]
    fn the_keyed_gate_does_as_its_model(
        setup in setups(),
        start in starts(),
        steps in vec(steps(keys(), bounds()), 0..150),
    ) {
        World::<KeyedModel>::run(&setup, start, steps);
    }
}

#[test]
fn every_situation_is_reached() {
    expect_situations::<KeyedModel>(
        setups(),
        steps(keys(), bounds()),
        &[
            "KeyLimit on arrival for its key",
            "KeyQueueFull on arrival for its key",
            "QueueEvicted in the line for its key",
            "QueueTimeout in the line for its key",
            "TooHeavy on arrival for its key",
            "TooManyKeys on arrival",
            "TotalLimit on arrival",
            "TotalQueueFull on arrival",
            "a key is above its limit",
            "a key lets another's in",
            "some share what is for too many keys",
            "the limit of a key lets others in",
        ],
    );
}

/// One whose own limit is in its way need not wait for a turn of the gate, but
/// then somebody else may be next, and late: that one has to be told.
#[test]
fn an_arrival_at_a_full_key_lets_go_of_whoever_is_next_and_late() {
    let odd = KeyPlan::new(Limit::ONE);
    let options = KeyedOptions {
        queue_limit: 3,
        key_queue_limit: 1,
        ..KeyedOptions::new(limit_of(2), Limit::ONE)
    };
    let arrive = |key, ticket| Step::Arrive {
        key: Key(key),
        ticket,
        waits: true,
    };
    let hasty = Ticket::new().with_max_wait(Duration::from_nanos(1));
    let steps = vec![
        arrive(0, Ticket::new()),
        arrive(1, Ticket::new()),
        arrive(0, Ticket::new()),
        arrive(2, hasty),
        Step::Advance { by: 1 },
        arrive(0, Ticket::new()),
    ];
    let seen = World::<KeyedModel>::run(&Setup { options, odd }, 0, steps);
    assert!(seen.iter().any(|seen| seen == "QueueTimeout in the line"));
}

fn keys() -> impl Strategy<Value = Key> {
    prop_oneof![3 => Just(0), 5 => 0..6_u8].prop_map(Key)
}

fn bounds() -> impl Strategy<Value = Option<Key>> {
    prop_oneof![Just(None), keys().prop_map(Some)]
}
