mod tally;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Serialize;

use self::tally::Tally;
use crate::overload::contender::Contender;
use crate::overload::observation::Observation;

/// What a contender made of a phase; one record of the JSON file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Record {
    pub(crate) contender: Contender,
    pub(crate) phase: &'static str,
    /// Requests a second that count as the whole capacity in this phase.
    pub(crate) capacity: f64,
    pub(crate) offered: usize,
    pub(crate) answered_in_deadline: usize,
    /// Answered too late, or not at all.
    pub(crate) missed: usize,
    pub(crate) failed: usize,
    /// By reason.
    pub(crate) rejected: BTreeMap<String, usize>,
    /// `answered_in_deadline`, of what the capacity allows in this phase.
    pub(crate) capacity_share: f64,
    /// Answered in time, of those of high priority; none if there were none.
    pub(crate) high_priority_share: Option<f64>,
    /// Of all that were answered, late ones included.
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
    pub(crate) high_priority_p50_ms: Option<f64>,
    pub(crate) high_priority_p99_ms: Option<f64>,
    /// The most requests inside the handler at once.
    pub(crate) peak_in_flight: usize,
    /// Between what the limit moved, if it is one of ours.
    pub(crate) limit: Option<RangeInclusive<usize>>,
}

/// What the numbers of a [`Record`] are measured against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Yardstick {
    /// Requests a second.
    pub(crate) capacity: f64,
    pub(crate) deadline: Duration,
    /// The length of the phase.
    pub(crate) length: Duration,
}

impl Record {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a trial has some thousand requests"
    )]
    pub(crate) fn new(
        contender: Contender,
        phase: &'static str,
        yardstick: Yardstick,
        observations: &[&Observation],
        peak_in_flight: usize,
        limit: Option<RangeInclusive<usize>>,
    ) -> Self {
        let all = Tally::of(observations.iter().copied(), yardstick.deadline);
        let urgent = observations
            .iter()
            .filter(|o| o.arrival.inquiry.high_priority);
        let urgent = Tally::of(urgent.copied(), yardstick.deadline);
        let allowed = yardstick.capacity * yardstick.length.as_secs_f64();
        Self {
            contender,
            phase,
            capacity: yardstick.capacity,
            offered: all.offered,
            answered_in_deadline: all.in_time,
            missed: all.missed,
            failed: all.failed,
            capacity_share: share(all.in_time, allowed).unwrap_or(0.0),
            high_priority_share: share(urgent.in_time, urgent.offered as f64),
            p50_ms: all.latencies.quantile(0.5),
            p99_ms: all.latencies.quantile(0.99),
            high_priority_p50_ms: urgent.latencies.quantile(0.5),
            high_priority_p99_ms: urgent.latencies.quantile(0.99),
            peak_in_flight,
            limit,
            rejected: all.rejected,
        }
    }
}

/// `part / whole`, to four places; of nothing there is no share.
#[expect(
    clippy::cast_precision_loss,
    reason = "a trial has some thousand requests"
)]
fn share(part: usize, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part as f64 / whole * 10_000.0).round() / 10_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overload::arrivals::{Arrival, Inquiry};
    use crate::overload::observation::Outcome;

    const YARDSTICK: Yardstick = Yardstick {
        capacity: 4.0,
        deadline: Duration::from_millis(250),
        length: Duration::from_secs(2),
    };

    fn observation(high_priority: bool, outcome: Outcome) -> Observation {
        let arrival = Arrival {
            at: Duration::ZERO,
            phase: 0,
            inquiry: Inquiry {
                store: 0,
                stores: 1,
                high_priority,
            },
        };
        Observation { arrival, outcome }
    }

    fn answered(milliseconds: u64) -> Outcome {
        Outcome::Answered {
            latency: Duration::from_millis(milliseconds),
        }
    }

    fn rejected(reason: &str) -> Outcome {
        Outcome::Rejected {
            reason: reason.to_owned(),
        }
    }

    fn record(observations: &[Observation]) -> Record {
        let observations: Vec<_> = observations.iter().collect();
        Record::new(
            Contender::NoLimit,
            "3x",
            YARDSTICK,
            &observations,
            5,
            Some(2..=4),
        )
    }

    #[test]
    fn every_outcome_is_counted_once() {
        let record = record(&[
            observation(false, answered(250)),
            observation(false, answered(251)),
            observation(true, answered(10)),
            observation(true, rejected("queue_full")),
            observation(false, rejected("queue_full")),
            observation(false, rejected("queue_timeout")),
            observation(false, Outcome::Unanswered),
            observation(
                false,
                Outcome::Failed {
                    error: "refused".to_owned(),
                },
            ),
        ]);
        assert_eq!(record.offered, 8);
        assert_eq!(
            (record.answered_in_deadline, record.missed, record.failed),
            (2, 2, 1)
        );
        assert_eq!(record.rejected["queue_full"], 2);
        assert_eq!(record.rejected["queue_timeout"], 1);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "both are rounded")]
    fn shares_are_of_the_capacity_and_of_those_with_high_priority() {
        let record = record(&[
            observation(true, answered(10)),
            observation(true, answered(400)),
            observation(false, answered(20)),
        ]);
        assert_eq!(record.capacity_share, 0.25);
        assert_eq!(record.high_priority_share, Some(0.5));
    }

    #[test]
    fn latencies_include_late_answers() {
        let record = record(&[observation(false, answered(4000))]);
        assert!(record.p99_ms.unwrap() > 3990.0);
        assert_eq!(record.high_priority_p99_ms, None);
    }

    #[test]
    fn json_has_the_documented_fields() {
        let record = record(&[
            observation(true, answered(10)),
            observation(true, rejected("x")),
        ]);
        let json = serde_json::to_value(record).unwrap();
        for field in [
            "contender",
            "phase",
            "offered",
            "answered_in_deadline",
            "capacity_share",
            "high_priority_share",
            "p50_ms",
            "p99_ms",
            "peak_in_flight",
            "limit",
        ] {
            assert!(!json[field].is_null(), "{field} is missing");
        }
        assert_eq!(json["rejected"]["x"], 1);
    }
}
