use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use inflight_core::{Drained, Host, Wait};
use inflight_test::{CountingWaker, Task, TestGate, panicking_waker, waker_on_drop, waker_on_wake};

use crate::gates::{by_priority, limit_of, patient, plain, priority, ticket};
use crate::waiters::{expect_granted, expect_pending, queue};

// F165
#[test]
fn a_waker_may_use_the_gate_while_it_is_woken() {
    let events: [fn(&TestGate); 3] = [
        |gate| gate.set_limit(limit_of(2)),
        TestGate::close,
        |gate| {
            gate.clock().set(50);
            drop(gate.expect_queued(priority(1)));
        },
    ];
    for event in events {
        let (gate, counter) = (by_priority(1, 2), CountingWaker::new());
        let _running = gate.expect_admitted(ticket());
        let waker = waker_on_wake(reentering(&gate, &counter));
        let mut waiters = [queue(&gate, patient(50)), queue(&gate, ticket())];
        expect_pending(&mut waiters[0], &waker);
        event(&gate);
        assert_eq!(counter.wakes(), 1);
    }
}

#[test]
fn a_waker_may_use_the_gate_while_a_permit_or_a_grant_is_handed_over() {
    let (gate, counter) = (plain(1, 3), CountingWaker::new());
    let running = gate.expect_admitted(ticket());
    let waker = waker_on_wake(reentering(&gate, &counter));
    let mut waiters = [queue(&gate, ticket()), queue(&gate, ticket())];
    for waiter in &mut waiters {
        expect_pending(waiter, &waker);
    }
    drop(running);
    assert_eq!(counter.wakes(), 1);
    let [granted, mut next] = waiters;
    drop(granted);
    assert_eq!(counter.wakes(), 2);
    expect_granted(&mut next);
}

// F165
#[test]
fn a_waker_may_use_the_gate_while_it_is_dropped() {
    let (gate, counter) = (plain(1, 3), CountingWaker::new());
    let running = gate.expect_admitted(ticket());
    let waker = || waker_on_drop(reentering(&gate, &counter));
    let mut waiter = queue(&gate, ticket());
    expect_pending(&mut waiter, &waker());
    expect_pending(&mut waiter, &waker());
    assert_eq!(counter.wakes(), 1, "replaced");
    drop(waiter);
    assert_eq!(counter.wakes(), 2, "left");
    let mut waiter = queue(&gate, ticket());
    expect_pending(&mut waiter, &waker());
    drop(running);
    assert_eq!(counter.wakes(), 3, "woken");
    expect_granted(&mut waiter);
    let running = gate.expect_admitted(ticket());
    let mut drained = gate.drained();
    poll_drained(&mut drained, &waker());
    poll_drained(&mut drained, &waker());
    assert_eq!(counter.wakes(), 4, "replaced by one who watches");
    drop(drained);
    assert_eq!(counter.wakes(), 5, "watches no more");
    drop(running);
}

#[test]
fn a_waker_that_panics_when_it_is_dropped_harms_nobody() {
    let gate = plain(1, 3);
    let running = gate.expect_admitted(ticket());
    let waker =
        || waker_on_drop(|| resume_unwind(Box::new("this waker panics when it is dropped")));
    let mut waiters: [_; 3] = std::array::from_fn(|_| queue(&gate, patient(9)));
    for waiter in &mut waiters {
        expect_pending(waiter, &waker());
        expect_pending(waiter, &waker());
    }
    let [mut first, mut second, third] = waiters;
    drop(third);
    drop(running);
    expect_granted(&mut first);
    expect_granted(&mut second);
    assert_eq!(gate.snapshot().available, 1);
}

#[test]
fn one_who_finds_itself_late_survives_its_waker() {
    let gate = plain(1, 1);
    let _running = gate.expect_admitted(ticket());
    let mut waiter = queue(&gate, patient(9));
    let waker =
        || waker_on_drop(|| resume_unwind(Box::new("this waker panics when it is dropped")));
    expect_pending(&mut waiter, &waker());
    gate.clock().set(9);
    assert!(matches!(waiter.poll(Waker::noop()), Wait::Refused(_)));
    assert_eq!(gate.snapshot().queued, 0);
}

#[test]
fn a_waker_that_panics_keeps_nobody_else_from_being_woken() {
    let gate = plain(1, 70);
    let _running = gate.expect_admitted(ticket());
    let counter = CountingWaker::new();
    let mut waiters: Vec<_> = (0..70).map(|_| queue(&gate, ticket())).collect();
    for (at, waiter) in waiters.iter_mut().enumerate() {
        let panics = [0, 1, 32, 33, 69].contains(&at);
        let waker = if panics {
            panicking_waker()
        } else {
            counter.waker()
        };
        expect_pending(waiter, &waker);
    }
    gate.set_limit(limit_of(71));
    assert_eq!(counter.wakes(), 65);
    waiters.iter_mut().for_each(expect_granted);
}

#[test]
fn what_a_waker_panics_with_may_panic_in_its_turn() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    let waker = waker_on_wake(|| resume_unwind(Box::new(PanicsAgain)));
    let mut waiters = [queue(&gate, ticket()), queue(&gate, ticket())];
    for waiter in &mut waiters {
        expect_pending(waiter, &waker);
    }
    gate.set_limit(limit_of(3));
    waiters.iter_mut().for_each(expect_granted);
    drop(running);
    assert_eq!(gate.snapshot().available, 3);
}

// F27
#[test]
fn a_waker_that_drops_its_grant_hands_it_to_one_that_it_queues() {
    let gate = plain(1, 2);
    let running = gate.expect_admitted(ticket());
    let granted = Arc::new(Mutex::new(Some(queue(&gate, ticket()))));
    let queued = Arc::new(Mutex::new(None));
    let waker = waker_on_wake({
        let (gate, granted, queued) = (gate.clone(), Arc::clone(&granted), Arc::clone(&queued));
        move || {
            *queued.lock().unwrap() = Some(queue(&gate, ticket()));
            granted.lock().unwrap().take();
        }
    });
    expect_pending(granted.lock().unwrap().as_mut().unwrap(), &waker);
    drop(running);
    assert!(granted.lock().unwrap().is_none());
    assert_eq!((gate.snapshot().in_flight, gate.snapshot().queued), (1, 0));
    expect_granted(queued.lock().unwrap().as_mut().unwrap());
}

#[test]
fn a_waker_may_drop_others_who_were_granted_with_it() {
    let gate = plain(1, 60);
    let _running = gate.expect_admitted(ticket());
    let (survivors, dropped) = (CountingWaker::new(), CountingWaker::new());
    let mut waiters: Vec<_> = (0..50).map(|_| queue(&gate, ticket())).collect();
    let mut victims = waiters.split_off(38);
    for waiter in &mut waiters[1..] {
        expect_pending(waiter, &survivors.waker());
    }
    for victim in &mut victims {
        expect_pending(victim, &dropped.waker());
    }
    let victims = Mutex::new(victims);
    let waker = waker_on_wake(move || victims.lock().unwrap().clear());
    expect_pending(&mut waiters[0], &waker);
    drop(waker);
    let mut last = queue(&gate, ticket());
    expect_pending(&mut last, &survivors.waker());

    gate.set_limit(limit_of(41));
    assert_eq!(survivors.wakes(), 38);
    assert_eq!((survivors.wakers(), dropped.wakers()), (0, 0));
    assert_eq!((gate.snapshot().in_flight, gate.snapshot().queued), (40, 0));
    waiters.iter_mut().for_each(expect_granted);
    expect_granted(&mut last);
}

// F173
#[test]
fn newcomers_from_a_waker_stand_behind_those_who_wait() {
    let gate = plain(1, 200);
    let _running = gate.expect_admitted(ticket());
    let mut waiters: Vec<_> = (0..100).map(|_| queue(&gate, ticket())).collect();
    let newcomers = Arc::new(Mutex::new(Vec::new()));
    let waker = waker_on_wake({
        let (gate, newcomers) = (gate.clone(), Arc::clone(&newcomers));
        move || {
            let newcomer = queue(&gate, ticket());
            newcomers.lock().unwrap().push(newcomer);
        }
    });
    for waiter in &mut waiters {
        expect_pending(waiter, &waker);
    }
    for (limit, newcomers_by_then) in [(41, 40), (101, 100)] {
        gate.set_limit(limit_of(limit));
        assert_eq!(newcomers.lock().unwrap().len(), newcomers_by_then);
        assert_eq!(gate.snapshot().queued, 100);
        assert_eq!(gate.snapshot().in_flight, limit);
    }
    for newcomer in newcomers.lock().unwrap().iter_mut() {
        expect_pending(newcomer, Waker::noop());
    }
    waiters.iter_mut().for_each(expect_granted);
}

/// Uses the gate in every way, and says with `counter` that it has.
fn reentering(gate: &TestGate, counter: &CountingWaker) -> impl Fn() + Send + Sync + 'static {
    let (gate, counter) = (gate.clone(), counter.waker());
    move || {
        let snapshot = gate.snapshot();
        gate.gate().queued_by_priority();
        drop(gate.arrive(ticket()));
        drop(gate.try_arrive(priority(9)));
        gate.set_limit(limit_of(snapshot.limit));
        Task::new(gate.drained()).poll().is_ready();
        counter.wake_by_ref();
    }
}

fn poll_drained(drained: &mut Drained<TestGate>, waker: &Waker) {
    let mut context = Context::from_waker(waker);
    assert!(Pin::new(drained).poll(&mut context).is_pending());
}

/// A payload whose destructor panics with another of its kind.
struct PanicsAgain;

impl Drop for PanicsAgain {
    fn drop(&mut self) {
        resume_unwind(Box::new(Self));
    }
}
