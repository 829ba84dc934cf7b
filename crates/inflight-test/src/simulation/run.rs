use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Peekable;
use std::time::Duration;

use inflight_core::{Algorithm, Outcome, Sample};

use super::arrivals::{Arrivals, Call};
use super::random::Random;
use super::server::Server;
use super::{PhaseReport, Scenario};

/// A scenario under way.
pub(super) struct Run<'a> {
    scenario: &'a Scenario,
    algorithm: &'a mut dyn Algorithm,
    random: Random,
    server: Server,
    delay: Duration,
    in_flight: usize,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    reports: Vec<PhaseReport>,
}

/// In the order in which those of one moment happen.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Event {
    PhaseBegins(usize),
    Served(Call),
    Ended(Call),
    Arrives(Call),
}

impl<'a> Run<'a> {
    pub(super) fn new(scenario: &'a Scenario, algorithm: &'a mut dyn Algorithm) -> Self {
        let begins = scenario.phases.iter().scan(Duration::ZERO, |begin, phase| {
            let this = *begin;
            *begin += phase.length;
            Some(nanos(this))
        });
        let events = begins
            .enumerate()
            .map(|(phase, at)| Reverse((at, Event::PhaseBegins(phase))))
            .collect();
        Self {
            scenario,
            algorithm,
            random: Random::new(scenario.seed),
            server: Server::new(scenario.contention),
            delay: Duration::ZERO,
            in_flight: 0,
            events,
            reports: vec![PhaseReport::default(); scenario.phases.len()],
        }
    }

    pub(super) fn finish(mut self) -> Vec<PhaseReport> {
        let mut arrivals = Arrivals::new(self.random, &self.scenario.phases).peekable();
        while let Some((now, event)) = self.next_event(&mut arrivals) {
            match event {
                Event::PhaseBegins(phase) => self.begin(phase),
                Event::Served(call) => {
                    self.server.finish();
                    self.schedule(now, self.delay, Event::Ended(call));
                }
                Event::Ended(call) => self.end(call, now),
                Event::Arrives(call) => self.arrive(call),
            }
            while let Some((call, time)) = self.server.start_next() {
                self.schedule(now, time, Event::Served(call));
            }
        }
        self.reports
    }

    /// Arrivals stay out of the heap: in an overload most are refused, and it
    /// would hold them for nothing.
    fn next_event(&mut self, arrivals: &mut Peekable<Arrivals<'_>>) -> Option<(u64, Event)> {
        let arrival = arrivals
            .peek()
            .map(|&call| (call.arrival, Event::Arrives(call)));
        let other = self.events.peek().map(|&Reverse(other)| other);
        match (arrival, other) {
            (Some(arrival), Some(other)) if other < arrival => self.events.pop().map(|_| other),
            (None, Some(other)) => self.events.pop().map(|_| other),
            (arrival, _) => arrivals.next().and(arrival),
        }
    }

    fn schedule(&mut self, now: u64, after: Duration, event: Event) {
        self.events.push(Reverse((now + nanos(after), event)));
    }

    fn begin(&mut self, phase: usize) {
        self.server.set_workers(self.scenario.phases[phase].workers);
        self.delay = self.scenario.phases[phase].delay;
    }

    fn arrive(&mut self, call: Call) {
        let limit = self.algorithm.limit().get();
        let report = &mut self.reports[call.phase];
        report.offered += 1;
        report.see_limit(limit);
        if self.in_flight < limit {
            self.in_flight += 1;
            let demand = self.scenario.service_time.draw(self.random, call.number);
            self.server.enter(call, demand);
        }
    }

    /// The sample comes before the permit goes back, as in a real limiter.
    fn end(&mut self, call: Call, now: u64) {
        let latency = now - call.arrival;
        self.algorithm.observe(&Sample {
            now,
            latency,
            in_flight: self.in_flight,
            outcome: Outcome::Success,
        });
        self.in_flight -= 1;
        self.reports[call.phase].answer(latency, nanos(self.scenario.deadline));
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
