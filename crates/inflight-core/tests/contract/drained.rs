use inflight_core::Host;
use inflight_test::Task;

use crate::gates::{limit_of, patient, plain, ticket};

#[test]
fn an_idle_gate_is_drained_at_the_first_poll() {
    let gate = plain(1, 0);
    Task::new(gate.drained()).expect_ready();
    gate.close();
    Task::new(gate.drained()).expect_ready();
}

// F7
#[test]
fn it_resolves_when_the_last_one_has_ended() {
    let gate = plain(2, 1);
    let running = [
        gate.expect_admitted(ticket()),
        gate.expect_admitted(ticket()),
    ];
    let mut waiter = gate.expect_queued(ticket());
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    drop(running);
    drained.expect_pending();
    drop(waiter.expect_ready().unwrap());
    assert_eq!(drained.wakes(), 1);
    drained.expect_ready();
}

#[test]
fn with_closing_it_waits_for_what_runs_alone() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiter = gate.expect_queued(ticket());
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    gate.close();
    drained.expect_pending();
    drop(running);
    assert!(drained.is_woken());
    drained.expect_ready();
    assert!(waiter.expect_ready().is_err());
}

#[test]
fn a_gate_that_was_drained_for_a_moment_was_drained() {
    let gate = plain(1, 0);
    let running = gate.expect_admitted(ticket());
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    drop(running);
    let _again = gate.expect_admitted(ticket());
    assert_eq!(drained.wakes(), 1);
    drained.expect_ready();
}

#[test]
fn a_grant_that_nobody_fetches_is_not_drained_until_it_is_dropped() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let waiter = gate.expect_queued(ticket());
    drop(running);
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    drop(waiter);
    assert!(drained.is_woken());
    drained.expect_ready();
}

#[test]
fn all_who_watch_are_told_and_one_who_left_is_not() {
    let gate = plain(1, 0);
    let running = gate.expect_admitted(ticket());
    let mut watchers: Vec<_> = (0..40).map(|_| Task::new(gate.drained())).collect();
    watchers.iter_mut().for_each(Task::expect_pending);
    drop(watchers.remove(20));
    drop(running);
    for watcher in &mut watchers {
        assert_eq!(watcher.wakes(), 1);
        watcher.expect_ready();
    }
}

#[test]
fn while_somebody_watches_all_goes_on_as_before() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut drained = Task::new(gate.drained());
    drained.expect_pending();
    let mut waiter = gate.expect_queued(patient(10));
    gate.expect_refused(ticket());
    gate.set_limit(limit_of(2));
    drop(waiter.expect_ready().unwrap());
    drop(gate.expect_admitted(ticket()));
    drained.expect_pending();
    drop(drained);
    assert_eq!(gate.snapshot().available, 1);
    drop(running);
}

#[test]
fn a_watch_begins_anew_after_it_has_resolved() {
    let gate = plain(1, 0);
    let mut drained = Task::new(gate.drained());
    drained.expect_ready();
    let running = gate.expect_admitted(ticket());
    drained.expect_pending();
    drop(running);
    drained.expect_ready();
}
