use std::sync::Arc;
use std::time::Duration;

use super::faults::Faults;
use super::invariant::Invariant;
use super::standing::Standing;

/// Everything that was seen, for the report.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) standings: Vec<Standing>,
    pub(crate) faults: Arc<Faults>,
    pub(crate) elapsed: Duration,
    /// Whether it was stopped before the last round.
    pub(crate) interrupted: bool,
}

impl Findings {
    /// How many calls there were.
    pub(crate) fn calls(&self) -> u64 {
        self.standings
            .iter()
            .map(|standing| standing.subject.arrived())
            .sum()
    }

    /// What does not hold, with the first case of each.
    pub(crate) fn broken(&self) -> Vec<(Invariant, String)> {
        let broken = |invariant| Some((invariant, self.faults.of(invariant)?));
        Invariant::ALL.into_iter().filter_map(broken).collect()
    }
}
