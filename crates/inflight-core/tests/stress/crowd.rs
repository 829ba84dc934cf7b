use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;
use std::thread;
use std::time::Duration;

use inflight_core::{Arrival, GateOptions, Host, Permit, Ticket, Waiter};
use inflight_test::{TestGate, poll_once};

use crate::block_on::block_on;
use crate::chance::Chance;
use crate::gates::{limit_of, options};
use crate::occupancy::Occupancy;

const THREADS: u16 = 12;
const ROUNDS: usize = 2_000;

/// Threads that call one gate in every way they can think of.
struct Crowd {
    gate: TestGate,
    heaviest: u16,
    resizes_to: Option<u16>,
    occupancy: Occupancy,
    admitted: AtomicUsize,
    refused: AtomicUsize,
    cancelled: AtomicUsize,
}

impl Crowd {
    fn new(options: &GateOptions, heaviest: u16, resizes_to: Option<u16>) -> Self {
        Self {
            gate: TestGate::new(options),
            heaviest,
            resizes_to,
            occupancy: Occupancy::default(),
            admitted: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            cancelled: AtomicUsize::new(0),
        }
    }

    /// Lets the threads loose, and says how much was inside at most.
    fn run(self) -> u32 {
        thread::scope(|scope| {
            for seed in 0..THREADS {
                let crowd = &self;
                scope.spawn(move || {
                    let mut chance = Chance::new(seed.into());
                    (0..ROUNDS).for_each(|_| crowd.call(&mut chance));
                });
            }
        });
        let snapshot = self.gate.snapshot();
        assert_eq!((snapshot.in_flight, snapshot.queued), (0, 0));
        assert!(self.gate.gate().queued_by_priority().is_empty());
        let counts = [&self.admitted, &self.refused, &self.cancelled];
        let counts = counts.map(|count| count.load(Ordering::Relaxed));
        let arrived = usize::from(THREADS) * ROUNDS;
        assert_eq!(counts.iter().sum::<usize>(), arrived);
        assert!(
            counts.iter().all(|count| *count > arrived / 100),
            "{counts:?}"
        );
        self.occupancy.most()
    }

    fn call(&self, chance: &mut Chance) {
        if let Some(limit) = self.resizes_to.filter(|_| chance.one_in(20)) {
            self.gate
                .set_limit(limit_of(usize::from(chance.below(limit) + 1)));
        }
        if chance.one_in(40) {
            // Whether it is drained is chance; while it is watched, all take
            // the lock.
            let mut drained = self.gate.drained();
            let _ = poll_once(&mut drained);
            thread::yield_now();
        }
        let ticket = self.ticket(chance);
        if chance.one_in(5) {
            match self.gate.try_arrive(ticket) {
                Ok(permit) => self.work(permit, chance),
                Err(_) => count(&self.refused),
            }
            return;
        }
        match self.gate.arrive(ticket) {
            Arrival::Admitted(permit) => self.work(permit, chance),
            Arrival::Queued(waiter) => self.wait(waiter, chance),
            Arrival::Refused(_) => count(&self.refused),
        }
    }

    fn ticket(&self, chance: &mut Chance) -> Ticket {
        let ticket = Ticket::new()
            .with_priority(i32::from(chance.below(5)))
            .with_weight(u32::from(chance.below(self.heaviest) + 1));
        if chance.one_in(3) {
            let max_wait = Duration::from_nanos(u64::from(chance.below(20)));
            return ticket.with_max_wait(max_wait);
        }
        ticket
    }

    fn wait(&self, mut waiter: Waiter<TestGate>, chance: &mut Chance) {
        if chance.one_in(3) {
            if chance.one_in(2) {
                drop(waiter.poll(Waker::noop()));
            }
            thread::yield_now();
            count(&self.cancelled);
            return;
        }
        let pass_time = || self.gate.clock().advance(Duration::from_nanos(1));
        match block_on(&mut waiter, pass_time) {
            Ok(permit) => self.work(permit, chance),
            Err(_) => count(&self.refused),
        }
    }

    fn work(&self, permit: Permit<TestGate>, chance: &mut Chance) {
        count(&self.admitted);
        self.occupancy.with(permit.weight(), || {
            (0..chance.below(3)).for_each(|_| thread::yield_now());
        });
        drop(permit);
    }
}

fn count(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::Relaxed);
}

// K50, F29
#[test]
fn no_more_than_the_limit_is_ever_inside() {
    let by_priority = GateOptions {
        by_priority: true,
        ..options(3, 4)
    };
    for options in [options(3, 4), by_priority] {
        assert_eq!(Crowd::new(&options, 1, None).run(), 3);
    }
}

#[test]
fn weights_are_never_together_above_the_limit() {
    let most = Crowd::new(&options(5, 6), 3, None).run();
    assert!((4..=5).contains(&most), "{most}");
}

#[test]
fn a_limit_that_changes_is_never_above_its_maximum_and_loses_nothing() {
    let adaptive = GateOptions {
        max_limit: Some(limit_of(4)),
        by_priority: true,
        queue_timeout: Some(Duration::from_nanos(50)),
        ..options(2, 6)
    };
    let most = Crowd::new(&adaptive, 4, Some(4)).run();
    assert!(most <= 4, "{most}");
    let fixed = Crowd::new(&options(4, 6), 2, Some(6)).run();
    assert!(fixed <= 6, "{fixed}");
}
