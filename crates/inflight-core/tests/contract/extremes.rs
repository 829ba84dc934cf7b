use inflight_core::{Gate, Host, Limit, Reason};
use inflight_test::count_allocations;

use crate::gates::{adaptive, limit_of, options, plain, ticket, weight};

const MAX: usize = 2_147_483_647;
const MAX_WEIGHT: u32 = 2_147_483_647;

// K16
#[test]
fn a_gate_that_is_full_to_the_top_stays_there() {
    let gate = plain(MAX, 0);
    let running = gate.expect_admitted(weight(MAX_WEIGHT));
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::LimitReached);
    assert_eq!(
        gate.expect_refused(weight(u32::MAX)).reason(),
        Reason::TooHeavy
    );
    assert_eq!(gate.snapshot().in_flight, MAX);
    drop(running);
    assert_eq!(gate.snapshot().available, MAX);
}

#[test]
fn the_last_unit_is_given_and_no_more() {
    let gate = plain(MAX, 1);
    let _running = gate.expect_admitted(weight(MAX_WEIGHT - 1));
    let last = gate.expect_admitted(ticket());
    let mut heavy = gate.expect_queued(weight(MAX_WEIGHT));
    heavy.expect_pending();
    drop(last);
    heavy.expect_pending();
    assert_eq!(gate.snapshot().in_flight, MAX - 1);
}

// F99
#[test]
fn the_greatest_weight_is_refused_and_changes_nothing() {
    for limit in [1, MAX - 1, MAX] {
        let gate = adaptive(limit, MAX, 10);
        for in_flight in [0, 1] {
            let _running: Vec<_> = (0..in_flight)
                .map(|_| gate.expect_admitted(ticket()))
                .collect();
            assert_eq!(
                gate.expect_refused(weight(u32::MAX)).reason(),
                Reason::TooHeavy
            );
            assert_eq!(
                gate.try_arrive(weight(1 << 31)).unwrap_err().reason(),
                Reason::TooHeavy
            );
            assert_eq!(gate.snapshot().in_flight, in_flight);
        }
    }
}

#[test]
fn what_runs_alone_may_be_as_heavy_as_the_greatest_maximum() {
    let gate = adaptive(1, MAX, 1);
    let alone = gate.expect_admitted(weight(MAX_WEIGHT));
    let mut next = gate.expect_queued(weight(MAX_WEIGHT));
    next.expect_pending();
    assert_eq!(gate.snapshot().in_flight, MAX);
    gate.set_limit(Limit::MAX);
    next.expect_pending();
    drop(alone);
    assert_eq!(next.expect_ready().unwrap().weight(), MAX_WEIGHT);
    assert_eq!(gate.snapshot().available, MAX);
}

#[test]
fn a_limit_may_go_from_one_end_to_the_other() {
    let gate = plain(1, 3);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    gate.set_limit(Limit::MAX);
    assert!(waiter.is_woken() || waiter.poll().is_ready());
    let heavy = gate.expect_admitted(weight(MAX_WEIGHT - 2));
    gate.set_limit(Limit::ONE);
    let snapshot = gate.snapshot();
    assert_eq!((snapshot.limit, snapshot.available), (1, 0));
    drop((heavy, running));
    drop(waiter);
    assert_eq!(gate.snapshot().available, 1);
}

#[test]
fn an_endless_line_takes_no_memory_before_anybody_waits() {
    let options = options(1, usize::MAX);
    let (gate, allocations) = count_allocations(|| Gate::new(&options));
    assert_eq!(allocations.count, 0);
    assert_eq!(gate.snapshot().queued, 0);

    let gate = plain(1, usize::MAX);
    let running = gate.expect_admitted(ticket());
    let (waiter, allocations) = count_allocations(|| gate.expect_queued(ticket()));
    assert!(allocations.bytes < 4_096, "{allocations:?}");
    drop((running, waiter));
}

#[test]
fn a_limit_is_never_more_than_the_maximum() {
    let gate = adaptive(9, 4, 0);
    assert_eq!(gate.snapshot().limit, 4);
    gate.set_limit(limit_of(5));
    assert_eq!((gate.snapshot().limit, gate.snapshot().max_limit), (4, 4));
    gate.set_limit(limit_of(1));
    assert_eq!((gate.snapshot().limit, gate.snapshot().max_limit), (1, 4));
}
