use std::time::Duration;

use inflight_core::Algorithm;

use super::run::Run;
use super::{Phase, PhaseReport, ServiceTime};

/// Traffic, and the server that it meets.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What all chance is drawn from.
    pub seed: u64,
    /// How long a worker takes for a call.
    pub service_time: ServiceTime,
    /// How much slower service becomes for each call present above the number
    /// of workers, relative to that number; 0 for a server that bears any
    /// number.
    pub contention: f64,
    /// How long a caller waits. An answer that comes later is work wasted, but
    /// is not called off.
    pub deadline: Duration,
    /// What happens, one after the other.
    pub phases: Vec<Phase>,
}

impl Scenario {
    /// Sends all calls, waits for the last answer, and reports each phase.
    pub fn run(&self, algorithm: &mut dyn Algorithm) -> Vec<PhaseReport> {
        Run::new(self, algorithm).finish()
    }
}
