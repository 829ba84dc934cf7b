use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use inflight_core::{
    Fairness, KeyOverflow, KeyPlan, KeyedArrival, KeyedHost, KeyedOptions, KeyedPermit, KeyedWait,
    KeyedWaiter, Refusal, Ticket,
};
use inflight_test::{TestKeyedGate, poll_once};

use crate::chance::Chance;
use crate::gates::limit_of;
use crate::occupancy::Occupancy;

const THREADS: u16 = 12;
const ROUNDS: usize = 2_000;
const KEYS: u16 = 7;

/// Threads that call one keyed gate in every way they can think of.
struct Crowd {
    gate: TestKeyedGate<u16>,
    keys: [Occupancy; KEYS as usize],
    total: Occupancy,
    heaviest: u16,
    /// Whether limits, of keys and the total, are changed meanwhile.
    changes: bool,
    counts: [AtomicUsize; 3],
}

/// What became of a call.
#[derive(Clone, Copy)]
enum End {
    Admitted,
    Refused,
    Cancelled,
}

impl Crowd {
    fn new(options: &KeyedOptions, heaviest: u16, changes: bool) -> Self {
        Self {
            gate: TestKeyedGate::new(options),
            keys: Default::default(),
            total: Occupancy::default(),
            heaviest,
            changes,
            counts: Default::default(),
        }
    }

    /// Lets the threads loose, and says how much was inside at most: in all,
    /// and of one key.
    fn run(self) -> (u32, u32) {
        thread::scope(|scope| {
            for seed in 0..THREADS {
                let crowd = &self;
                scope.spawn(move || {
                    let mut chance = Chance::new(seed.into());
                    for _ in 0..ROUNDS {
                        let end = crowd.call(&mut chance);
                        crowd.counts[end as usize].fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        let snapshot = self.gate.gate().snapshot();
        assert_eq!((snapshot.total.in_flight, snapshot.total.queued), (0, 0));
        assert_eq!(snapshot.keys, 0);
        assert_eq!(self.gate.gate().top(1), Vec::new());
        let counts = self.counts.map(AtomicUsize::into_inner);
        let arrived = usize::from(THREADS) * ROUNDS;
        assert_eq!(counts.iter().sum::<usize>(), arrived);
        assert!(
            counts.iter().all(|count| *count > arrived / 100),
            "{counts:?}"
        );
        let most_of_a_key = self.keys.iter().map(Occupancy::most).max();
        (self.total.most(), most_of_a_key.expect("there are keys"))
    }

    fn call(&self, chance: &mut Chance) -> End {
        self.meddle(chance);
        // Half of the calls are of one key.
        let key = if chance.one_in(2) {
            0
        } else {
            chance.below(KEYS)
        };
        let ticket = self.ticket(chance);
        if chance.one_in(5) {
            return match self.gate.try_arrive(key, ticket) {
                Ok(permit) => self.work(key, permit, chance),
                Err(_) => End::Refused,
            };
        }
        match self.gate.arrive(key, ticket) {
            KeyedArrival::Admitted(permit) => self.work(key, permit, chance),
            KeyedArrival::Queued(waiter) => self.wait(key, waiter, chance),
            KeyedArrival::Refused(_) => End::Refused,
        }
    }

    fn meddle(&self, chance: &mut Chance) {
        if self.changes && chance.one_in(20) {
            let limit = limit_of(usize::from(chance.below(4) + 1));
            if chance.one_in(2) {
                self.gate.set_limit(limit);
            } else {
                self.gate.set_key_limit(&chance.below(KEYS), limit);
            }
        }
        if chance.one_in(40) {
            let mut drained = self.gate.drained();
            let _ = poll_once(&mut drained);
            thread::yield_now();
        }
        if chance.one_in(40) {
            let _ = self.gate.gate().key(&chance.below(KEYS));
            assert!(self.gate.gate().top(3).len() <= 3);
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

    fn wait(
        &self,
        key: u16,
        mut waiter: KeyedWaiter<TestKeyedGate<u16>>,
        chance: &mut Chance,
    ) -> End {
        if chance.one_in(3) {
            if chance.one_in(2) {
                drop(waiter.poll(Waker::noop()));
            }
            thread::yield_now();
            return End::Cancelled;
        }
        match self.block_on(&mut waiter) {
            Ok(permit) => self.work(key, permit, chance),
            Err(_) => End::Refused,
        }
    }

    /// Sleeps until somebody wakes the thread. Where there is a deadline, it is
    /// this thread that lets time pass.
    fn block_on(
        &self,
        waiter: &mut KeyedWaiter<TestKeyedGate<u16>>,
    ) -> Result<KeyedPermit<TestKeyedGate<u16>>, Refusal> {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        loop {
            match waiter.poll(&waker) {
                KeyedWait::Admitted { permit, .. } => return Ok(permit),
                KeyedWait::Refused(refusal) => return Err(refusal),
                KeyedWait::Pending { deadline: None } => thread::park(),
                KeyedWait::Pending { deadline: Some(_) } => {
                    self.gate.clock().advance(Duration::from_nanos(1));
                    thread::yield_now();
                }
            }
        }
    }

    fn work(&self, key: u16, permit: KeyedPermit<TestKeyedGate<u16>>, chance: &mut Chance) -> End {
        let weight = permit.weight();
        self.total.with(weight, || {
            self.keys[usize::from(key)].with(weight, || {
                (0..chance.below(3)).for_each(|_| thread::yield_now());
            });
        });
        drop(permit);
        End::Admitted
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn options(total: usize, key: usize) -> KeyedOptions {
    KeyedOptions {
        queue_limit: 8,
        key_queue_limit: 4,
        ..KeyedOptions::new(limit_of(total), limit_of(key))
    }
}

// F29, F147
#[test]
fn neither_bound_is_ever_passed() {
    for fairness in [Fairness::Arrival, Fairness::RoundRobin] {
        let options = KeyedOptions {
            fairness,
            ..options(4, 2)
        };
        assert_eq!(Crowd::new(&options, 1, false).run(), (4, 2));
    }
}

#[test]
fn weights_are_never_together_above_either_bound() {
    let options = KeyedOptions {
        by_priority: true,
        queue_timeout: Some(Duration::from_nanos(50)),
        ..options(6, 3)
    };
    let (total, key) = Crowd::new(&options, 3, false).run();
    assert!(total <= 6 && key == 3, "{total} and {key}");
}

#[test]
fn limits_that_change_lose_nothing() {
    let options = KeyedOptions {
        max_limit: Some(limit_of(4)),
        fairness: Fairness::RoundRobin,
        by_priority: true,
        ..options(2, 4)
    };
    let (total, key) = Crowd::new(&options, 2, true).run();
    assert!(total <= 4 && key <= 4, "{total} and {key}");
}

// F149
#[test]
fn more_keys_than_are_kept_pass_no_bound() {
    for overflow in [
        KeyOverflow::Refuse,
        KeyOverflow::Share(KeyPlan::new(limit_of(2))),
    ] {
        let options = KeyedOptions {
            max_keys: 3,
            overflow,
            ..options(6, 2)
        };
        let (total, _) = Crowd::new(&options, 1, false).run();
        assert!(total <= 6, "{total}");
    }
}
