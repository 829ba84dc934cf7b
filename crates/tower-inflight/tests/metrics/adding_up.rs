use std::convert::Infallible;
use std::future::poll_fn;
use std::task::Poll;

use inflight_test::Task;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tower::{Layer, Service, service_fn};
use tower_inflight::PriorityQueueLayer;

use crate::meter::{Meter, Reading};

#[derive(Clone, Copy)]
struct Request {
    priority: i32,
    polls: u32,
}

/// Is done at the poll after as many as the request says.
async fn work(request: Request) -> Result<(), Infallible> {
    let mut left = request.polls;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(Ok(()));
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

/// What became of the calls that arrived.
#[derive(Debug, Default)]
struct Tally {
    arrived: u64,
    admitted: u64,
    rejected: u64,
    gone_queued: u64,
    gone_running: u64,
}

impl Tally {
    fn add(&mut self, reading: &Reading) {
        self.admitted += reading.counter("inflight_admitted_total");
        self.rejected += reading.sum("inflight_rejected_total");
        self.gone_queued += reading.counter("inflight_cancelled_total{phase=queued}");
        self.gone_running += reading.counter("inflight_cancelled_total{phase=running}");
    }
}

// F159, F161
#[test]
fn arrivals_are_the_sum_of_what_became_of_them_at_every_moment() {
    for seed in 0..20 {
        let meter = Meter::new();
        let layer =
            meter.on(|| PriorityQueueLayer::new(3, 5, |request: &Request| request.priority));
        let mut service = layer.layer(service_fn(work));
        let mut random = StdRng::seed_from_u64(seed);
        let mut tally = Tally::default();
        let mut calls = Vec::new();
        for _ in 0..500 {
            if random.random_ratio(2, 3) {
                let priority = random.random_range(-2..=2);
                let polls = random.random_range(0..60);
                calls.push(Task::new(service.call(Request { priority, polls })));
                tally.arrived += 1;
            } else if !calls.is_empty() {
                drop(calls.swap_remove(random.random_range(0..calls.len())));
            }
            // Until everybody has fetched the answer that there is.
            let mut open = usize::MAX;
            while calls.len() < open {
                open = calls.len();
                calls.retain_mut(|call| call.poll().is_pending());
            }
            let snapshot = layer.limiter().snapshot();
            let reading = meter.collect();
            tally.add(&reading);
            let numbers = [3, 3, snapshot.in_flight, snapshot.queued];
            let numbers = numbers.map(|number| number as u64);
            assert_eq!(reading.gauges(""), numbers);
            let answered = tally.admitted + tally.rejected + tally.gone_queued;
            let waiting = numbers[3];
            assert_eq!(tally.arrived, answered + waiting, "seed {seed}: {tally:?}");
        }
        drop(calls);
        let reading = meter.collect();
        tally.add(&reading);
        assert_eq!(reading.gauges(""), [3, 3, 0, 0]);
        let answered = tally.admitted + tally.rejected + tally.gone_queued;
        assert_eq!(tally.arrived, answered, "seed {seed}: {tally:?}");
        assert!(tally.rejected > 0 && tally.gone_queued > 0 && tally.gone_running > 0);
    }
}
