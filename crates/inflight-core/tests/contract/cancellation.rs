use inflight_test::{Task, count_allocations};

use crate::gates::{plain, ticket};
use crate::line::Line;

// F3, K5
#[test]
fn one_who_leaves_the_line_frees_its_place() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    waiter.expect_pending();
    gate.expect_refused(ticket());
    drop(waiter);
    assert_eq!(gate.snapshot().queued, 0);
    let mut next = gate.expect_queued(ticket());
    drop(running);
    assert!(next.expect_ready().is_ok());
}

// K20, F19
#[test]
fn a_grant_that_is_dropped_goes_to_the_next_who_is_woken() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    let mut granted = gate.expect_queued(ticket());
    granted.expect_pending();
    let mut next = gate.expect_queued(ticket());
    next.expect_pending();
    drop(running);
    assert!(granted.is_woken() && !next.is_woken());
    drop(granted);
    assert!(next.is_woken());
    assert!(next.expect_ready().is_ok());
}

// K20
#[test]
fn a_grant_that_is_dropped_with_nobody_behind_is_room() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let granted = gate.expect_queued(ticket());
    drop(running);
    assert_eq!(gate.snapshot().available, 0);
    drop(granted);
    assert_eq!(gate.snapshot().available, 1);
    drop(gate.expect_admitted(ticket()));
}

// F5
#[test]
fn nothing_is_lost_however_often_a_waiter_is_polled_before_it_is_dropped() {
    let gate = plain(1, 1);
    for polls in 0..20 {
        let running = gate.expect_admitted(ticket());
        let mut waiter = gate.expect_queued(ticket());
        (0..polls).for_each(|_| waiter.expect_pending());
        drop(waiter);
        drop(running);
        assert_eq!(gate.snapshot().available, 1);
    }
}

#[test]
fn an_answer_that_was_fetched_is_not_given_back_again() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    drop(running);
    let permit = waiter.expect_ready().unwrap();
    drop(waiter);
    assert_eq!(gate.snapshot().in_flight, 1);
    drop(permit);
    assert_eq!(gate.snapshot().in_flight, 0);
}

#[test]
fn any_order_of_leaving_keeps_the_order_of_the_rest() {
    let names = ["a", "b", "c", "d"];
    for first in names {
        for second in names.into_iter().filter(|name| *name != first) {
            let gate = plain(1, 4);
            let running = gate.expect_admitted(ticket());
            let mut line = Line::new(&gate, names.map(|name| (name, ticket())));
            line.cancel(first);
            line.cancel(second);
            let rest: Vec<_> = names
                .into_iter()
                .filter(|name| *name != first && *name != second)
                .collect();
            assert_eq!(line.served_after(running), rest);
        }
    }
}

// F59
#[test]
fn coming_and_leaving_for_ever_takes_no_memory() {
    let gate = plain(1, 10);
    let running = gate.expect_admitted(ticket());
    let come_and_leave = || {
        for _ in 0..1_000 {
            let mut waiters: [_; 10] = std::array::from_fn(|_| gate.expect_queued(ticket()));
            waiters.iter_mut().for_each(Task::expect_pending);
        }
    };
    come_and_leave();
    let ((), allocations) = count_allocations(come_and_leave);
    assert_eq!(allocations.retained_bytes, 0);
    assert_eq!(gate.snapshot().queued, 0);
    let mut next = gate.expect_queued(ticket());
    drop(running);
    assert!(next.expect_ready().is_ok());
}
