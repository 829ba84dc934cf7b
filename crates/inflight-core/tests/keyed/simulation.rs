use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::task::Waker;
use std::time::Duration;

use inflight_core::{
    KeyedArrival, KeyedHost, KeyedOptions, KeyedPermit, KeyedWait, KeyedWaiter, Ticket,
};
use inflight_test::TestKeyedGate;

/// Quiet ones; one more is noisy.
pub(crate) const TENANTS: usize = 5;

type Gate = TestKeyedGate<usize>;

/// Calls of some tenants to one gate with ten slots, in virtual time: each
/// takes 10 ms on average, and each quiet tenant comes 50 times a second.
pub(crate) struct Simulation {
    gate: Gate,
    now: u64,
    /// The next of each tenant, and the ends of those that run.
    events: BinaryHeap<Reverse<(u64, usize, Event)>>,
    numbered: usize,
    /// Of each tenant, in the order in which they are let in.
    waiting: Vec<VecDeque<(Call, KeyedWaiter<Gate>)>>,
    running: Vec<Option<(Call, KeyedPermit<Gate>)>>,
    sources: Vec<Source>,
    /// From arrival to end, of each quiet tenant.
    latencies: Vec<Vec<u64>>,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Event {
    Arrival { tenant: usize },
    End { running: usize },
}

#[derive(Clone, Copy)]
struct Call {
    tenant: usize,
    arrival: u64,
    demand: u64,
}

/// When a tenant's calls come and how long they take, by chance that does not
/// depend on what the others do.
struct Source {
    gap: f64,
    chance: u64,
}

impl Simulation {
    /// `noise` is the noisy tenant's demand, in its shares of the total.
    pub(crate) fn run(options: &KeyedOptions, noise: f64) -> Self {
        let quiet_gap = MEAN * 2.0;
        let shares = 10.0 / 6.0;
        let noisy_gap = MEAN / (shares * noise);
        let mut simulation = Self {
            gate: TestKeyedGate::new(options),
            now: 0,
            events: BinaryHeap::new(),
            numbered: 0,
            waiting: (0..=TENANTS).map(|_| VecDeque::new()).collect(),
            running: Vec::new(),
            sources: (0..=TENANTS)
                .map(|tenant| Source {
                    gap: if tenant == TENANTS {
                        noisy_gap
                    } else {
                        quiet_gap
                    },
                    chance: tenant as u64,
                })
                .collect(),
            latencies: vec![Vec::new(); TENANTS],
        };
        (0..=TENANTS).for_each(|tenant| simulation.schedule_arrival(tenant));
        while let Some(Reverse((now, _, event))) = simulation.events.pop() {
            simulation.advance(now);
            match event {
                Event::Arrival { tenant } => simulation.arrive(tenant),
                Event::End { running } => simulation.end(running),
            }
        }
        simulation
    }

    /// The 99th percentile of a tenant's latencies.
    pub(crate) fn p99(&self, tenant: usize) -> f64 {
        let mut latencies = self.latencies[tenant].clone();
        latencies.sort_unstable();
        #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a few seconds")]
        {
            latencies[latencies.len() * 99 / 100] as f64
        }
    }

    fn advance(&mut self, now: u64) {
        self.gate
            .clock()
            .advance(Duration::from_nanos(now - self.now));
        self.now = now;
    }

    fn schedule_arrival(&mut self, tenant: usize) {
        let source = &mut self.sources[tenant];
        let at = self.now.saturating_add(source.draw(source.gap));
        if at < END {
            self.schedule(at, Event::Arrival { tenant });
        }
    }

    fn schedule(&mut self, at: u64, event: Event) {
        self.numbered += 1;
        self.events.push(Reverse((at, self.numbered, event)));
    }

    fn arrive(&mut self, tenant: usize) {
        let call = Call {
            tenant,
            arrival: self.now,
            demand: self.sources[tenant].draw(MEAN),
        };
        match self.gate.arrive(tenant, Ticket::new()) {
            KeyedArrival::Admitted(permit) => self.start(call, permit),
            KeyedArrival::Queued(mut waiter) => {
                drop(waiter.poll(Waker::noop()));
                self.waiting[tenant].push_back((call, waiter));
            }
            KeyedArrival::Refused(_) => assert_eq!(tenant, TENANTS, "only the noisy one"),
        }
        self.schedule_arrival(tenant);
    }

    fn start(&mut self, call: Call, permit: KeyedPermit<Gate>) {
        let running = self.running.len();
        self.running.push(Some((call, permit)));
        self.schedule(self.now + call.demand, Event::End { running });
    }

    fn end(&mut self, running: usize) {
        let (call, permit) = self.running[running].take().expect("a call ends once");
        if let Some(latencies) = self.latencies.get_mut(call.tenant) {
            latencies.push(self.now - call.arrival);
        }
        drop(permit);
        self.start_those_who_were_let_in();
    }

    fn start_those_who_were_let_in(&mut self) {
        for tenant in 0..=TENANTS {
            while let Some((call, mut waiter)) = self.waiting[tenant].pop_front() {
                let KeyedWait::Admitted { permit, .. } = waiter.poll(Waker::noop()) else {
                    self.waiting[tenant].push_front((call, waiter));
                    break;
                };
                self.start(call, permit);
            }
        }
    }
}

impl Source {
    /// Exponential, from a linear congruential generator with Knuth's constants
    /// for 64 bits.
    fn draw(&mut self, mean: f64) -> u64 {
        const FACTOR: u64 = 6_364_136_223_846_793_005;
        const SUMMAND: u64 = 1_442_695_040_888_963_407;
        self.chance = self.chance.wrapping_mul(FACTOR).wrapping_add(SUMMAND);
        let upper = u32::try_from(self.chance >> 32).expect("32 bits are left");
        let uniform = (f64::from(upper) + 1.0) / 4_294_967_296.0;
        Duration::try_from_secs_f64(-uniform.ln() * mean)
            .ok()
            .and_then(|gap| u64::try_from(gap.as_nanos()).ok())
            .unwrap_or(u64::MAX)
    }
}

/// How long a call takes, in seconds.
const MEAN: f64 = 0.01;
/// Nobody comes any more, in nanoseconds.
const END: u64 = 20_000_000_000;
