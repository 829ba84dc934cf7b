use std::collections::BTreeMap;
use std::time::Duration;

use crate::overload::latencies::Latencies;
use crate::overload::observation::{Observation, Outcome};

/// How many requests ended in which way.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) offered: usize,
    pub(crate) in_time: usize,
    pub(crate) missed: usize,
    pub(crate) failed: usize,
    pub(crate) rejected: BTreeMap<String, usize>,
    pub(crate) latencies: Latencies,
}

impl Tally {
    pub(crate) fn of<'a>(
        observations: impl Iterator<Item = &'a Observation>,
        deadline: Duration,
    ) -> Self {
        let mut tally = Self {
            offered: 0,
            in_time: 0,
            missed: 0,
            failed: 0,
            rejected: BTreeMap::new(),
            latencies: Latencies::new(),
        };
        for observation in observations {
            tally.count(observation, deadline);
        }
        tally
    }

    fn count(&mut self, observation: &Observation, deadline: Duration) {
        self.offered += 1;
        match &observation.outcome {
            Outcome::Answered { latency } => {
                self.latencies.record(*latency);
                if observation.in_time(deadline) {
                    self.in_time += 1;
                } else {
                    self.missed += 1;
                }
            }
            Outcome::Failed { .. } => self.failed += 1,
            Outcome::Rejected { reason } => {
                *self.rejected.entry(reason.clone()).or_default() += 1;
            }
            Outcome::Unanswered => self.missed += 1,
        }
    }
}
