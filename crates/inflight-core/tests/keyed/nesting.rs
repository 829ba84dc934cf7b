//! Why one component decides about both bounds, and in which order two plain
//! ones are to be nested where they must be.

use inflight_core::{Arrival, GateOptions, Host, Permit, Ticket};
use inflight_test::TestGate;

use crate::gates::{gate, limit, ticket};

fn plain(limit_: usize) -> TestGate {
    TestGate::new(&GateOptions {
        queue_limit: 100,
        ..GateOptions::new(limit(limit_))
    })
}

/// As many calls as a caller gets to make through one gate and then the other,
/// each kept with what it holds already while it waits for the second.
fn hold_through(first: &TestGate, second: &TestGate, calls: usize) -> Vec<Stage> {
    (0..calls)
        .map(|_| match first.arrive(Ticket::new()) {
            Arrival::Admitted(permit) => Stage::Through(permit, second.arrive(Ticket::new())),
            outside => Stage::Outside(outside),
        })
        .collect()
}

#[expect(dead_code, reason = "they are held, and not looked at")]
enum Stage {
    Outside(Arrival<TestGate>),
    Through(Permit<TestGate>, Arrival<TestGate>),
}

#[test]
fn the_total_first_and_then_the_key_lets_one_tenant_sit_on_all_slots() {
    let (total, noisy) = (plain(4), plain(1));
    let _stages = hold_through(&total, &noisy, 10);
    assert!(!total.gate().has_room(), "three slots are held by waiters");
    assert_eq!(noisy.snapshot().in_flight, 1, "and only one call works");
}

#[test]
fn the_key_first_and_then_the_total_does_not() {
    let (total, noisy) = (plain(4), plain(1));
    let _stages = hold_through(&noisy, &total, 10);
    assert_eq!(total.snapshot().available, 3);
}

#[test]
fn one_admission_for_both_does_not() {
    let gate = gate(4, 1);
    let _running = gate.expect_admitted("noisy", ticket());
    let _waiting: Vec<_> = (0..9)
        .map(|_| gate.expect_queued("noisy", ticket()))
        .collect();
    assert_eq!(gate.total().available, 3);
    let _others = ["a", "b", "c"].map(|key| gate.expect_admitted(key, ticket()));
}
