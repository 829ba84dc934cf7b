use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;
use std::thread;
use std::time::Duration;

use inflight_core::{Arrival, GateOptions, Host, Reason, Ticket, Wait, Waiter};
use inflight_test::TestGate;

use crate::block_on::block_on;
use crate::gates::{options, plain};

fn queue(gate: &TestGate, ticket: Ticket) -> Waiter<TestGate> {
    match gate.arrive(ticket) {
        Arrival::Queued(mut waiter) => {
            drop(waiter.poll(Waker::noop()));
            waiter
        }
        other => panic!("the line has places: {other:?}"),
    }
}

/// Runs both at once, as often as `rounds` says; each is given the round's own
/// part of what `prepare` makes, and `check` looks at the gate afterwards.
fn race<A: Send, B: Send>(
    rounds: usize,
    prepare: impl Fn() -> (A, B),
    left: impl Fn(A) + Sync,
    right: impl Fn(B) + Sync,
    check: impl Fn(),
) {
    for _ in 0..rounds {
        let (a, b) = prepare();
        let start = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                start.wait();
                left(a);
            });
            start.wait();
            right(b);
        });
        check();
    }
}

// K11, F21
#[test]
fn a_waiter_that_leaves_as_it_is_granted_loses_nothing() {
    let gate = plain(1, 2);
    race(
        1_000,
        || {
            let running = gate.expect_admitted(Ticket::new());
            let leaving = queue(&gate, Ticket::new());
            (running, (leaving, queue(&gate, Ticket::new())))
        },
        drop,
        |(leaving, mut next)| {
            drop(leaving);
            assert!(block_on(&mut next, || ()).is_ok());
        },
        || {
            let snapshot = gate.snapshot();
            assert_eq!((snapshot.available, snapshot.queued), (1, 0));
        },
    );
}

// F51
#[test]
fn all_may_leave_a_full_line_as_somebody_makes_room_in_it() {
    let gate = TestGate::new(&GateOptions {
        by_priority: true,
        ..options(1, 8)
    });
    let _running = gate.expect_admitted(Ticket::new());
    race(
        1_000,
        || {
            let waiters: [_; 8] = std::array::from_fn(|_| queue(&gate, Ticket::new()));
            (waiters, ())
        },
        drop,
        |()| {
            let high = gate.arrive(Ticket::new().with_priority(9));
            assert!(matches!(high, Arrival::Queued(_)));
        },
        || assert_eq!(gate.snapshot().queued, 0),
    );
}

// F71
#[test]
fn a_grant_and_a_deadline_at_once_are_one_answer() {
    let gate = plain(1, 1);
    let granted = AtomicUsize::new(0);
    let late = AtomicUsize::new(0);
    race(
        5_000,
        || {
            let running = gate.expect_admitted(Ticket::new());
            let patient = Ticket::new().with_max_wait(Duration::from_nanos(10));
            (running, queue(&gate, patient))
        },
        drop,
        |mut waiter| {
            gate.clock().advance(Duration::from_nanos(10));
            match waiter.poll(Waker::noop()) {
                Wait::Admitted { .. } => granted.fetch_add(1, Ordering::Relaxed),
                Wait::Refused(refusal) => {
                    assert_eq!(refusal.reason(), Reason::QueueTimeout);
                    late.fetch_add(1, Ordering::Relaxed)
                }
                Wait::Pending { .. } => panic!("its deadline has come"),
            };
        },
        || {
            let snapshot = gate.snapshot();
            assert_eq!((snapshot.available, snapshot.queued), (1, 0));
        },
    );
    let answers = granted.into_inner() + late.into_inner();
    assert_eq!(answers, 5_000);
}

#[test]
fn closing_as_somebody_is_granted_answers_everybody_once() {
    let options = options(1, 3);
    race(
        1_000,
        || {
            let gate = TestGate::new(&options);
            let running = gate.expect_admitted(Ticket::new());
            let waiters = [queue(&gate, Ticket::new()), queue(&gate, Ticket::new())];
            (running, (gate, waiters))
        },
        drop,
        |(gate, mut waiters)| {
            gate.close();
            let answers = waiters.each_mut().map(|waiter| block_on(waiter, || ()));
            let closed = answers.iter().filter_map(|answer| answer.as_ref().err());
            assert!(
                closed
                    .clone()
                    .all(|refusal| refusal.reason() == Reason::Closed)
            );
            assert!(closed.count() >= 1);
        },
        || (),
    );
}

// F55
#[test]
fn of_many_who_come_at_once_exactly_the_limit_gets_in() {
    let gate = plain(4, 0);
    let start = Barrier::new(64);
    let arrivals: Vec<_> = thread::scope(|scope| {
        let call = || {
            start.wait();
            gate.arrive(Ticket::new())
        };
        let threads: Vec<_> = (0..64).map(|_| scope.spawn(call)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let is_admitted = |arrival: &&Arrival<TestGate>| matches!(arrival, Arrival::Admitted(_));
    assert_eq!(arrivals.iter().filter(is_admitted).count(), 4);
    assert_eq!(gate.snapshot().in_flight, 4);
}

// F53
#[test]
fn of_many_who_come_at_once_exactly_the_line_waits() {
    let gate = plain(3, 4);
    for _ in 0..32 {
        let start = Barrier::new(20);
        let counts: [AtomicUsize; 3] = Default::default();
        let held = Barrier::new(21);
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    start.wait();
                    let arrival = gate.arrive(Ticket::new());
                    let kind = match &arrival {
                        Arrival::Admitted(_) => 0,
                        Arrival::Queued(_) => 1,
                        Arrival::Refused(_) => 2,
                    };
                    counts[kind].fetch_add(1, Ordering::SeqCst);
                    held.wait();
                    if let Arrival::Queued(mut waiter) = arrival {
                        assert!(block_on(&mut waiter, || ()).is_ok());
                    }
                });
            }
            held.wait();
        });
        assert_eq!(counts.map(AtomicUsize::into_inner), [3, 4, 13]);
        assert_eq!(gate.snapshot().available, 3);
    }
}

// K23
#[test]
fn refusals_never_show_in_the_numbers() {
    let gate = plain(1, 0);
    let _running = gate.expect_admitted(Ticket::new());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5_000 {
                    gate.expect_refused(Ticket::new());
                    let snapshot = gate.snapshot();
                    assert_eq!((snapshot.in_flight, snapshot.queued), (1, 0));
                }
            });
        }
    });
}

/// Each step is a load and a store, so that two at once would lose one.
#[test]
fn a_gate_of_one_admits_one_at_a_time() {
    let gate = plain(1, 8);
    let steps = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..2_000 {
                    let permit = match gate.arrive(Ticket::new()) {
                        Arrival::Admitted(permit) => permit,
                        Arrival::Queued(mut waiter) => block_on(&mut waiter, || ()).unwrap(),
                        Arrival::Refused(refusal) => panic!("the line has places: {refusal:?}"),
                    };
                    steps.store(steps.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                    drop(permit);
                }
            });
        }
    });
    assert_eq!(steps.into_inner(), 16_000);
}
