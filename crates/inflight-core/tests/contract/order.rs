use std::collections::VecDeque;
use std::task::Waker;

use inflight_core::{Host, Reason, Wait};

use crate::gates::{by_priority, plain, priority, ticket};
use crate::line::Line;
use crate::waiters::{expect_granted, queue};

// K2, F17
#[test]
fn without_a_line_the_next_is_refused_until_one_ends() {
    let gate = plain(1, 0);
    let running = gate.expect_admitted(ticket());
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::LimitReached);
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::LimitReached);
    assert_eq!(gate.snapshot().available, 0);
    drop(running);
    drop(gate.expect_admitted(ticket()));
}

// K8, K7
#[test]
fn exactly_those_above_the_limit_and_the_line_are_refused() {
    let gate = plain(3, 5);
    let mut running: VecDeque<_> = (0..3).map(|_| gate.expect_admitted(ticket())).collect();
    let names = ["a", "b", "c", "d", "e"];
    let mut line = Line::new(&gate, names.map(|name| (name, ticket())));
    for _ in 0..7 {
        assert_eq!(gate.expect_refused(ticket()).reason(), Reason::QueueFull);
    }
    assert!(!line.is_woken());

    let mut order = Vec::new();
    while let Some(permit) = running.pop_front() {
        drop(permit);
        if line.is_woken() {
            let (name, permit) = line.granted();
            order.push(name);
            running.push_back(permit);
        }
        assert_eq!(gate.snapshot().in_flight, running.len());
    }
    assert_eq!(order, names);
}

// F57, F61
#[test]
fn a_line_of_two_holds_two() {
    let gate = plain(1, 2);
    let _running = gate.expect_admitted(ticket());
    let _line = Line::new(&gate, [("a", ticket()), ("b", ticket())]);
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::QueueFull);
    assert_eq!(gate.snapshot().queued, 2);
}

// K13, K14, F63
#[test]
fn every_clone_of_a_host_and_every_way_in_count_together() {
    let gate = plain(1, 1);
    let other = gate.clone();
    let running = gate.try_arrive(ticket()).unwrap();
    let _line = Line::new(&other, [("a", ticket())]);
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::QueueFull);
    assert_eq!(
        other.try_arrive(ticket()).unwrap_err().reason(),
        Reason::LimitReached
    );
    assert_eq!(gate.snapshot(), other.snapshot());
    assert_eq!((gate.snapshot().in_flight, gate.snapshot().queued), (1, 1));
    assert!(std::ptr::eq(running.host().gate(), other.gate()));
}

// K19
#[test]
fn a_newcomer_does_not_pass_one_who_was_granted_and_not_polled() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    let mut granted = gate.expect_queued(ticket());
    drop(running);
    assert_eq!(gate.snapshot().in_flight, 1);
    let mut newcomer = gate.expect_queued(ticket());
    newcomer.expect_pending();
    let permit = granted.expect_ready().unwrap();
    newcomer.expect_pending();
    drop(permit);
    assert!(newcomer.expect_ready().is_ok());
}

// F31
#[test]
fn trying_again_and_again_takes_nothing_from_those_who_wait() {
    let gate = plain(1, 2);
    let mut running = gate.expect_admitted(ticket());
    for _ in 0..1_000 {
        let mut waiter = gate.expect_queued(ticket());
        assert_eq!(
            gate.try_arrive(ticket()).unwrap_err().reason(),
            Reason::LimitReached
        );
        drop(running);
        assert_eq!(
            gate.try_arrive(ticket()).unwrap_err().reason(),
            Reason::LimitReached
        );
        running = waiter.expect_ready().unwrap();
    }
}

// F35
#[test]
fn the_order_of_service_is_the_order_of_arrival() {
    let gate = plain(1, 26);
    let running = gate.expect_admitted(ticket());
    let names: [&str; 26] = std::array::from_fn(|at| &"abcdefghijklmnopqrstuvwxyz"[at..=at]);
    let line = Line::new(&gate, names.map(|name| (name, ticket())));
    assert_eq!(line.served_after(running), names);
}

// F37
#[test]
fn the_place_is_taken_on_arrival_whoever_is_polled_first() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    let first = gate.expect_queued(ticket());
    let mut second = gate.expect_queued(ticket());
    second.expect_pending();
    drop(running);
    second.expect_pending();
    drop(first);
    assert!(second.is_woken());
    drop(second.expect_ready().unwrap());
    assert_eq!(gate.snapshot().in_flight, 0);
}

// K55
#[test]
fn the_highest_priority_is_served_first() {
    let gate = by_priority(1, 3);
    let running = gate.expect_admitted(ticket());
    let line = Line::new(
        &gate,
        [("a", priority(1)), ("b", priority(3)), ("c", priority(2))],
    );
    assert_eq!(line.served_after(running), ["b", "c", "a"]);
}

// F41
#[test]
fn one_priority_is_served_in_order_of_arrival_also_after_cancellations() {
    let gate = by_priority(1, 5);
    let running = gate.expect_admitted(ticket());
    let names = ["1", "2", "3", "4", "5"];
    let mut line = Line::new(&gate, names.map(|name| (name, priority(3))));
    line.cancel("2");
    line.cancel("4");
    assert_eq!(line.served_after(running), ["1", "3", "5"]);
}

// F49, K61
#[test]
fn where_there_is_room_nobody_waits_whatever_the_priority() {
    let gate = by_priority(5, 2);
    let _low = gate.expect_admitted(priority(i32::MIN));
    let _high = gate.expect_admitted(priority(9));
    assert!(gate.gate().queued_by_priority().is_empty());
}

// F45
#[test]
fn priorities_at_both_ends_keep_their_order() {
    let gate = by_priority(1, 4);
    let running = gate.expect_admitted(ticket());
    let mut line = Line::new(
        &gate,
        [
            ("least", priority(i32::MIN)),
            ("-1", priority(-1)),
            ("0", priority(0)),
            ("most", priority(i32::MAX)),
        ],
    );
    assert_eq!(
        gate.expect_refused(priority(i32::MIN)).reason(),
        Reason::QueueFull
    );
    let one = gate.expect_queued(priority(1));
    assert_eq!(line.refused(), ("least", Reason::QueueEvicted));
    drop(one);
    line.join(&gate, "1", priority(1));
    assert_eq!(line.served_after(running), ["most", "1", "0", "-1"]);
}

// K47
#[test]
fn a_plain_line_does_not_look_at_priorities() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let line = Line::new(&gate, [("low", priority(-100))]);
    assert_eq!(
        gate.expect_refused(priority(100)).reason(),
        Reason::QueueFull
    );
    assert!(gate.gate().queued_by_priority().is_empty());
    assert_eq!(line.served_after(running), ["low"]);
}

#[test]
fn a_waiter_says_whose_it_is_until_it_has_its_answer() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = queue(&gate, ticket());
    assert!(std::ptr::eq(waiter.host().unwrap().gate(), gate.gate()));
    drop(running);
    expect_granted(&mut waiter);
    assert!(waiter.host().is_none());
}

#[test]
#[should_panic(expected = "a waiter has one answer")]
fn one_who_was_admitted_may_not_ask_again() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = queue(&gate, ticket());
    drop(running);
    expect_granted(&mut waiter);
    drop(waiter.poll(Waker::noop()));
}

#[test]
#[should_panic(expected = "a waiter has one answer")]
fn one_who_was_refused_may_not_ask_again() {
    let gate = plain(1, 1);
    let _running = gate.expect_admitted(ticket());
    let mut waiter = queue(&gate, ticket());
    gate.close();
    assert!(matches!(waiter.poll(Waker::noop()), Wait::Refused(_)));
    drop(waiter.poll(Waker::noop()));
}
