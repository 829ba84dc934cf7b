use inflight_core::{Host, Reason};
use inflight_test::Task;

use crate::gates::{limit_of, plain, ticket};
use crate::line::Line;

// F91
#[test]
fn after_the_limit_fell_an_end_grants_nothing_until_it_is_met() {
    let gate = plain(2, 5);
    let running = [
        gate.expect_admitted(ticket()),
        gate.expect_admitted(ticket()),
    ];
    let names = ["a", "b", "c", "d", "e"];
    let mut line = Line::new(&gate, names.map(|name| (name, ticket())));
    gate.set_limit(limit_of(1));
    let [first, second] = running;
    drop(first);
    assert!(!line.is_woken());
    assert_eq!(gate.snapshot().in_flight, 1);
    drop(second);
    let (name, permit) = line.granted();
    assert_eq!((name, gate.snapshot().in_flight), ("a", 1));
    assert_eq!(line.served_after(permit), ["b", "c", "d", "e"]);
}

// F97
#[test]
fn a_limit_that_fell_far_is_met_one_end_at_a_time() {
    let gate = plain(5, 10);
    let mut running: Vec<_> = (0..5).map(|_| gate.expect_admitted(ticket())).collect();
    let mut line = Line::new(&gate, ["a", "b"].map(|name| (name, ticket())));
    gate.set_limit(limit_of(2));
    while running.len() > 2 {
        running.pop();
        assert!(!line.is_woken());
        assert_eq!(gate.snapshot().in_flight, running.len());
    }
    running.pop();
    assert_eq!((line.granted().0, gate.snapshot().in_flight), ("a", 2));
}

// F93
#[test]
fn raising_grants_nothing_while_more_are_in_flight() {
    let gate = plain(4, 3);
    let mut running: Vec<_> = (0..4).map(|_| gate.expect_admitted(ticket())).collect();
    let mut line = Line::new(&gate, ["a", "b", "c"].map(|name| (name, ticket())));
    gate.set_limit(limit_of(1));
    gate.set_limit(limit_of(2));
    assert!(!line.is_woken());
    running.truncate(2);
    assert!(!line.is_woken());
    running.truncate(1);
    assert_eq!(line.granted().0, "a");
}

// F95
#[test]
fn raising_grants_to_those_who_wait_before_any_newcomer() {
    let gate = plain(1, 4);
    let _running = gate.expect_admitted(ticket());
    let mut waiters: Vec<_> = (0..3).map(|_| gate.expect_queued(ticket())).collect();
    waiters.iter_mut().for_each(Task::expect_pending);
    gate.set_limit(limit_of(3));
    let mut newcomer = gate.expect_queued(ticket());
    newcomer.expect_pending();
    let woken: Vec<_> = waiters.iter().map(Task::is_woken).collect();
    assert_eq!(woken, [true, true, false]);
    assert_eq!(gate.snapshot().in_flight, 3);
}

// F173
#[test]
fn of_a_hundred_the_forty_oldest_are_granted_and_woken_once() {
    let gate = plain(1, 100);
    let _running = gate.expect_admitted(ticket());
    let mut waiters: Vec<_> = (0..100).map(|_| gate.expect_queued(ticket())).collect();
    waiters.iter_mut().for_each(Task::expect_pending);
    gate.set_limit(limit_of(41));
    let wakes: Vec<_> = waiters.iter().map(Task::wakes).collect();
    assert_eq!(wakes, [[1; 40].as_slice(), &[0; 60]].concat());
    let (granted, waiting) = waiters.split_at_mut(40);
    let permits: Vec<_> = granted
        .iter_mut()
        .map(|waiter| waiter.expect_ready().unwrap())
        .collect();
    waiting.iter_mut().for_each(Task::expect_pending);
    assert_eq!((permits.len(), gate.snapshot().in_flight), (40, 41));
}

// F101, F163
#[test]
fn a_limit_holds_at_once_and_shows() {
    let gate = plain(4, 0);
    let running: Vec<_> = (0..4).map(|_| gate.expect_admitted(ticket())).collect();
    gate.set_limit(limit_of(1));
    let snapshot = gate.snapshot();
    assert_eq!((snapshot.limit, snapshot.max_limit), (1, 1));
    assert_eq!((snapshot.in_flight, snapshot.available), (4, 0));
    let refusal = gate.expect_refused(ticket());
    assert_eq!(
        (refusal.reason(), refusal.limit(), refusal.in_flight()),
        (Reason::LimitReached, 1, 4)
    );
    drop(running);
    assert_eq!(gate.snapshot().available, 1);
}

// K88
#[test]
fn a_newcomer_is_admitted_when_the_lowered_limit_has_room() {
    let gate = plain(4, 0);
    let mut running: Vec<_> = (0..4).map(|_| gate.expect_admitted(ticket())).collect();
    gate.set_limit(limit_of(2));
    running.pop();
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::LimitReached);
    running.pop();
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::LimitReached);
    running.pop();
    drop(gate.expect_admitted(ticket()));
}

/// Who changes the limit under a lock of its own wakes after it.
#[test]
fn whoever_a_raise_lets_in_may_be_woken_later() {
    let gate = plain(1, 70);
    let _running = gate.expect_admitted(ticket());
    let mut waiting: Vec<_> = (0..70).map(|_| gate.expect_queued(ticket())).collect();
    waiting.iter_mut().for_each(Task::expect_pending);
    let wakes = gate.resize(limit_of(41));
    assert_eq!(gate.snapshot().in_flight, 41, "all is decided");
    assert!(!waiting.iter().any(Task::is_woken));
    drop(wakes);
    let woken = waiting.iter().filter(|task| task.is_woken()).count();
    assert_eq!(woken, 40);
}
