use std::time::Duration;

use crate::overload::latencies::Latencies;
use crate::overload::observation::Observation;

/// What a trial looked like in one short interval.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moment {
    /// The middle of the interval, in seconds from the start of the trial.
    pub(crate) at: f64,
    /// Useful answers a second that were given in it.
    pub(crate) goodput: f64,
    /// Answered in time, of those of high priority that arrived in it.
    pub(crate) high_priority_share: Option<f64>,
    /// Latencies in milliseconds of those who arrived in it and were answered.
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
}

/// Cuts a trial of the length `end` into intervals.
///
/// Goodput stands where the answer was given and latency where the request
/// arrived: work done per second, and what a client who came then had to wait.
pub(crate) fn timeline(
    observations: &[Observation],
    deadline: Duration,
    end: Duration,
    intervals: u32,
) -> Vec<Moment> {
    let width = end / intervals;
    let mut buckets: Vec<_> = (0..intervals).map(|_| Bucket::new()).collect();
    for observation in observations {
        if let Some(bucket) = buckets.get_mut(index(observation.arrival.at, width)) {
            bucket.count_arrival(observation, deadline);
        }
        let useful = observation.latency().filter(|latency| *latency <= deadline);
        let answered = useful.map(|latency| observation.arrival.at + latency);
        if let Some(bucket) = answered.and_then(|at| buckets.get_mut(index(at, width))) {
            bucket.useful += 1;
        }
    }
    let middles = (0..intervals).map(|n| width.as_secs_f64() * (f64::from(n) + 0.5));
    let moments = buckets
        .iter()
        .zip(middles)
        .map(|(bucket, at)| bucket.at(at, width));
    moments.collect()
}

struct Bucket {
    useful: u32,
    high_priority: u32,
    high_priority_in_time: u32,
    latencies: Latencies,
}

impl Bucket {
    fn new() -> Self {
        Self {
            useful: 0,
            high_priority: 0,
            high_priority_in_time: 0,
            latencies: Latencies::new(),
        }
    }

    fn count_arrival(&mut self, observation: &Observation, deadline: Duration) {
        if let Some(latency) = observation.latency() {
            self.latencies.record(latency);
        }
        if observation.arrival.inquiry.high_priority {
            self.high_priority += 1;
            self.high_priority_in_time += u32::from(observation.in_time(deadline));
        }
    }

    fn at(&self, at: f64, width: Duration) -> Moment {
        let high = f64::from(self.high_priority);
        Moment {
            at,
            goodput: f64::from(self.useful) / width.as_secs_f64(),
            high_priority_share: (high > 0.0).then(|| f64::from(self.high_priority_in_time) / high),
            p50_ms: self.latencies.quantile(0.5),
            p99_ms: self.latencies.quantile(0.99),
        }
    }
}

fn index(at: Duration, width: Duration) -> usize {
    usize::try_from(at.as_nanos() / width.as_nanos()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overload::arrivals::{Arrival, Inquiry};
    use crate::overload::observation::Outcome;

    fn answered(at: u64, latency: u64) -> Observation {
        Observation {
            arrival: Arrival {
                at: Duration::from_millis(at),
                phase: 0,
                inquiry: Inquiry {
                    store: 0,
                    stores: 1,
                    high_priority: false,
                },
            },
            outcome: Outcome::Answered {
                latency: Duration::from_millis(latency),
            },
        }
    }

    #[test]
    fn goodput_stands_at_the_answer_and_latency_at_the_arrival() {
        let observations = [answered(900, 200), answered(950, 900)];
        let moments = timeline(
            &observations,
            Duration::from_millis(250),
            Duration::from_secs(3),
            3,
        );
        assert_eq!(
            moments.iter().map(|m| m.at).collect::<Vec<_>>(),
            [0.5, 1.5, 2.5]
        );
        assert_eq!(
            moments.iter().map(|m| m.goodput).collect::<Vec<_>>(),
            [0.0, 1.0, 0.0]
        );
        assert!(moments[0].p99_ms.unwrap() > 899.0);
        assert_eq!(moments[1].p50_ms, None);
    }

    #[test]
    fn the_share_of_high_priority_is_of_those_who_arrived() {
        let mut late = answered(100, 900);
        late.arrival.inquiry.high_priority = true;
        let mut early = answered(200, 100);
        early.arrival.inquiry.high_priority = true;
        let second = Duration::from_secs(1);
        let moments = timeline(
            &[late, early, answered(300, 900)],
            second / 4,
            2 * second,
            2,
        );
        assert_eq!(moments[0].high_priority_share, Some(0.5));
        assert_eq!(moments[1].high_priority_share, None);
    }

    #[test]
    fn an_answer_after_the_end_is_left_out_of_the_goodput() {
        let moments = timeline(
            &[answered(900, 200)],
            Duration::from_millis(250),
            Duration::from_secs(1),
            1,
        );
        assert!(moments[0].goodput < 0.5);
    }
}
