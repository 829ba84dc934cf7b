use inflight_core::{Host, Reason};
use inflight_test::Task;

use crate::gates::{adaptive, limit_of, plain, ticket, weight};
use crate::line::Line;

// F107
#[test]
fn nobody_passes_a_heavy_waiter() {
    let gate = plain(4, 100);
    let mut running: Vec<_> = (0..3).map(|_| gate.expect_admitted(ticket())).collect();
    let mut heavy = gate.expect_queued(weight(4));
    heavy.expect_pending();
    let mut lights: Vec<_> = (0..50).map(|_| gate.expect_queued(ticket())).collect();
    while let Some(permit) = running.pop() {
        assert!(!heavy.is_woken());
        assert_eq!(
            gate.try_arrive(ticket()).unwrap_err().reason(),
            Reason::LimitReached
        );
        lights.iter_mut().for_each(Task::expect_pending);
        drop(permit);
    }
    let permit = heavy.expect_ready().unwrap();
    assert_eq!((permit.weight(), gate.snapshot().in_flight), (4, 4));
    drop(permit);
    assert_eq!(lights.iter().filter(|light| light.is_woken()).count(), 4);
}

// F109
#[test]
fn a_weight_of_zero_counts_as_one() {
    let gate = plain(2, 0);
    let _running: Vec<_> = (0..2).map(|_| gate.expect_admitted(weight(0))).collect();
    for _ in 0..10_000 {
        assert_eq!(
            gate.expect_refused(weight(0)).reason(),
            Reason::LimitReached
        );
    }
    assert_eq!(gate.snapshot().in_flight, 2);
}

// F111
#[test]
fn the_limit_is_shared_by_weight() {
    let gate = plain(10, 0);
    let heavy = gate.expect_admitted(weight(8));
    let _lights = [
        gate.expect_admitted(ticket()),
        gate.expect_admitted(ticket()),
    ];
    assert_eq!(
        gate.expect_refused(weight(8)).reason(),
        Reason::LimitReached
    );
    assert_eq!(gate.snapshot().available, 0);
    drop(heavy);
    assert_eq!(gate.snapshot().available, 8);
}

// F89
#[test]
fn a_waiter_is_granted_the_weight_that_it_came_with() {
    let gate = plain(3, 2);
    let running = gate.expect_admitted(weight(3));
    let mut light = gate.expect_queued(weight(1));
    let mut heavy = gate.expect_queued(weight(3));
    drop(running);
    let permit = light.expect_ready().unwrap();
    heavy.expect_pending();
    assert_eq!((permit.weight(), gate.snapshot().in_flight), (1, 1));
    drop(permit);
    assert_eq!(heavy.expect_ready().unwrap().weight(), 3);
    assert_eq!(gate.snapshot().in_flight, 0);
}

#[test]
fn what_is_heavier_than_the_maximum_is_refused_at_once() {
    let fixed = plain(4, 10);
    assert_eq!(fixed.expect_refused(weight(5)).reason(), Reason::TooHeavy);
    let adaptive = adaptive(2, 4, 10);
    assert_eq!(
        adaptive.expect_refused(weight(5)).reason(),
        Reason::TooHeavy
    );
    let _running = adaptive.expect_admitted(ticket());
    assert_eq!(
        adaptive.expect_refused(weight(5)).reason(),
        Reason::TooHeavy
    );
    assert_eq!(
        adaptive.try_arrive(weight(5)).unwrap_err().reason(),
        Reason::TooHeavy
    );
}

// F105
#[test]
fn what_is_heavier_than_the_limit_runs_alone() {
    let gate = adaptive(2, 4, 2);
    let alone = gate.expect_admitted(weight(4));
    let snapshot = gate.snapshot();
    assert_eq!(
        (snapshot.in_flight, snapshot.limit, snapshot.available),
        (4, 2, 0)
    );
    let mut light = gate.expect_queued(ticket());
    light.expect_pending();
    drop(alone);
    assert!(light.expect_ready().is_ok());
    assert_eq!(gate.snapshot().available, 2);
}

// F105
#[test]
fn what_is_heavier_than_the_limit_waits_until_it_is_alone() {
    let gate = adaptive(2, 4, 2);
    let first = gate.expect_admitted(ticket());
    let second = gate.expect_admitted(ticket());
    let mut heavy = gate.expect_queued(weight(3));
    let mut light = gate.expect_queued(ticket());
    drop(first);
    heavy.expect_pending();
    drop(second);
    let permit = heavy.expect_ready().unwrap();
    light.expect_pending();
    drop(permit);
    assert!(light.expect_ready().is_ok());
}

#[test]
fn a_waiter_that_became_heavier_than_a_fixed_limit_still_runs_alone() {
    let gate = plain(4, 2);
    let running = gate.expect_admitted(weight(2));
    let mut heavy = gate.expect_queued(weight(4));
    gate.set_limit(limit_of(3));
    assert_eq!(gate.expect_refused(weight(4)).reason(), Reason::TooHeavy);
    heavy.expect_pending();
    drop(running);
    assert_eq!(heavy.expect_ready().unwrap().weight(), 4);
}

#[test]
fn a_heavy_head_that_leaves_lets_in_as_many_as_fit() {
    let gate = plain(4, 10);
    let _running = gate.expect_admitted(weight(2));
    let mut heavy = gate.expect_queued(weight(3));
    heavy.expect_pending();
    let line = Line::new(&gate, [("a", ticket()), ("b", ticket()), ("c", ticket())]);
    assert!(!line.is_woken());
    drop(heavy);
    let snapshot = gate.snapshot();
    assert_eq!((snapshot.in_flight, snapshot.queued), (4, 1));
}

#[test]
fn a_heavy_waiter_that_leaves_from_the_middle_changes_nothing() {
    let gate = plain(4, 10);
    let _running = gate.expect_admitted(weight(2));
    let _head = gate.expect_queued(weight(3));
    let middle = gate.expect_queued(weight(4));
    let mut light = gate.expect_queued(ticket());
    drop(middle);
    light.expect_pending();
    assert_eq!(gate.snapshot().in_flight, 2);
}
