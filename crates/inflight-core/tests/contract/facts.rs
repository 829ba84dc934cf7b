use std::time::Duration;

use inflight_core::{Host, Reason, Refusal};
use inflight_test::Task;

use crate::gates::{adaptive, by_priority, limit_of, plain, priority, ticket, timed, weight};

#[track_caller]
fn assert_facts(refusal: Refusal, reason: Reason, [limit, in_flight, queued]: [usize; 3]) {
    assert_eq!(refusal.reason(), reason);
    assert_eq!(refusal.limit(), limit, "limit");
    assert_eq!(refusal.in_flight(), in_flight, "in flight");
    assert_eq!(refusal.queued(), queued, "queued");
}

#[test]
fn a_refusal_on_arrival_tells_how_things_stood() {
    let gate = plain(2, 0);
    let _running = [
        gate.expect_admitted(ticket()),
        gate.expect_admitted(ticket()),
    ];
    assert_facts(
        gate.expect_refused(ticket()),
        Reason::LimitReached,
        [2, 2, 0],
    );
    assert_facts(gate.expect_refused(weight(3)), Reason::TooHeavy, [2, 2, 0]);
    gate.close();
    assert_facts(gate.expect_refused(ticket()), Reason::Closed, [2, 2, 0]);
}

#[test]
fn one_who_finds_the_line_full_is_told_how_long_it_is() {
    for gate in [plain(1, 2), by_priority(1, 2), timed(1, 2, 99)] {
        let _running = gate.expect_admitted(ticket());
        let _waiting = [gate.expect_queued(ticket()), gate.expect_queued(ticket())];
        let refusal = gate.expect_refused(ticket());
        assert_facts(refusal, Reason::QueueFull, [1, 1, 2]);
        assert_eq!(refusal.waited(), Duration::ZERO);
        let refusal = gate.try_arrive(ticket()).unwrap_err();
        assert_facts(refusal, Reason::LimitReached, [1, 1, 2]);
        assert_facts(gate.expect_refused(weight(2)), Reason::TooHeavy, [1, 1, 2]);
    }
}

#[test]
fn what_is_refused_on_arrival_may_be_packed() {
    for gate in [plain(3, 0), plain(3, 2), by_priority(3, 2)] {
        let _running = gate.expect_admitted(weight(3));
        let _waiting: Vec<_> = (0..gate.gate().queue_limit())
            .map(|_| gate.expect_queued(ticket()))
            .collect();
        for ticket in [ticket(), weight(4)] {
            let refusal = gate.expect_refused(ticket);
            assert_eq!(refusal.pack().unwrap().unpack(), refusal);
        }
    }
}

#[test]
fn one_who_waited_and_was_refused_is_not_packed() {
    let gate = timed(1, 1, 50);
    let _running = gate.expect_admitted(ticket());
    let mut late = gate.expect_queued(ticket());
    gate.clock().set(50);
    assert!(late.expect_ready().unwrap_err().pack().is_none());
}

#[test]
fn refusals_are_equal_if_they_say_the_same() {
    let gate = plain(2, 1);
    let running = gate.expect_admitted(weight(2));
    let refusal = gate.try_arrive(ticket()).unwrap_err();
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    assert_eq!(gate.try_arrive(ticket()).unwrap_err(), refusal);

    assert_ne!(gate.expect_refused(weight(3)), refusal, "the reason");
    let _waiting = gate.expect_queued(ticket());
    assert_ne!(gate.try_arrive(ticket()).unwrap_err(), refusal, "queued");
    drop(running);
    assert_ne!(
        gate.try_arrive(weight(2)).unwrap_err(),
        refusal,
        "in flight"
    );
    let larger = plain(3, 0);
    let _running = larger.expect_admitted(weight(2));
    assert_ne!(larger.expect_refused(weight(2)), refusal, "the limit");
}

#[test]
fn refusals_after_different_waits_differ() {
    let [soon, later] = [50, 60].map(|found| {
        let gate = timed(1, 1, 50);
        let _running = gate.expect_admitted(ticket());
        let mut late = gate.expect_queued(ticket());
        gate.clock().set(found);
        late.expect_ready().unwrap_err()
    });
    assert_eq!(soon, soon);
    assert_ne!(soon, later);
}

#[test]
fn one_who_is_evicted_is_told_how_things_stood_then() {
    let gate = by_priority(1, 2);
    let _running = gate.expect_admitted(ticket());
    let _other = gate.expect_queued(priority(5));
    let mut evicted = gate.expect_queued(priority(0));
    gate.clock().set(70);
    let _high = gate.expect_queued(priority(1));
    gate.clock().set(900);
    gate.set_limit(limit_of(9));
    let refusal = evicted.expect_ready().unwrap_err();
    assert_facts(refusal, Reason::QueueEvicted, [1, 1, 1]);
    assert_eq!(refusal.waited(), Duration::from_nanos(70));
}

#[test]
fn one_who_is_late_is_told_how_things_stood_when_that_was_found() {
    let gate = timed(2, 3, 50);
    let running = gate.expect_admitted(weight(2));
    let mut late = gate.expect_queued(ticket());
    gate.clock().set(40);
    let mut next = gate.expect_queued(ticket());
    gate.clock().set(60);
    drop(running);
    gate.clock().set(70);
    let refusal = late.expect_ready().unwrap_err();
    assert_facts(refusal, Reason::QueueTimeout, [2, 0, 1]);
    assert_eq!(refusal.waited(), Duration::from_nanos(60));
    assert!(next.expect_ready().is_ok());
}

#[test]
fn those_who_are_sent_away_at_closing_are_told_how_long_they_waited() {
    let gate = plain(1, 2);
    gate.clock().set(5);
    let _running = gate.expect_admitted(ticket());
    let mut first = gate.expect_queued(ticket());
    gate.clock().set(8);
    let mut second = gate.expect_queued(ticket());
    gate.clock().set(10);
    gate.close();
    let refusals = [
        first.expect_ready().unwrap_err(),
        second.expect_ready().unwrap_err(),
    ];
    assert_facts(refusals[0], Reason::Closed, [1, 1, 1]);
    assert_facts(refusals[1], Reason::Closed, [1, 1, 0]);
    assert_eq!(refusals.map(|refusal| refusal.waited().as_nanos()), [5, 2]);
}

// F145
#[test]
fn a_refusal_keeps_the_limit_of_its_moment() {
    let gate = adaptive(2, 9, 0);
    let running = gate.expect_admitted(weight(2));
    let refusal = gate.expect_refused(ticket());
    gate.set_limit(limit_of(7));
    drop(running);
    assert_facts(refusal, Reason::LimitReached, [2, 2, 0]);
}

// K25, K26
#[test]
fn an_idle_gate_shows_its_limits() {
    let snapshot = plain(7, 3).snapshot();
    assert_eq!(
        (snapshot.limit, snapshot.max_limit, snapshot.available),
        (7, 7, 7)
    );
    assert_eq!((snapshot.in_flight, snapshot.queued), (0, 0));
    assert!(plain(7, 0).gate().queued_by_priority().is_empty());
    assert_eq!(adaptive(3, 9, 0).snapshot().max_limit, 9);
}

#[test]
fn what_is_in_flight_is_told_by_weight() {
    let gate = plain(9, 1);
    let heavy = gate.expect_admitted(weight(5));
    let _light = gate.expect_admitted(ticket());
    let _waiting = gate.expect_queued(weight(4));
    assert_eq!(gate.gate().in_flight(), 6);
    drop(heavy);
    assert_eq!(gate.gate().in_flight(), 5);
}

#[test]
fn the_priorities_in_the_line_are_counted_without_gaps() {
    let gate = by_priority(1, 9);
    let _running = gate.expect_admitted(ticket());
    let waiting: Vec<_> = [3, -2, 3, i32::MIN]
        .map(|value| gate.expect_queued(priority(value)))
        .into();
    let counts: Vec<_> = gate.gate().queued_by_priority().into_iter().collect();
    assert_eq!(counts, [(i32::MIN, 1), (-2, 1), (3, 2)]);
    drop(waiting);
    assert!(gate.gate().queued_by_priority().is_empty());
}

#[test]
fn each_reason_has_its_text() {
    let gate = plain(1, 0);
    let _running = gate.expect_admitted(ticket());
    assert_eq!(
        gate.expect_refused(ticket()).reason().to_string(),
        "limit_reached"
    );
    assert_eq!(
        gate.expect_refused(weight(2)).reason().as_str(),
        "too_heavy"
    );
    gate.close();
    assert_eq!(gate.expect_refused(ticket()).reason().as_str(), "closed");
}
