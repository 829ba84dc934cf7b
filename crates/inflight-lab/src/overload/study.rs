use crate::overload::contender::Contender;
use crate::overload::limits::Limits;
use crate::overload::observation::Observation;
use crate::overload::plan::Plan;
use crate::overload::record::{Record, Yardstick};
use crate::overload::setting::Setting;

/// Everything that was seen, for the report.
#[derive(Debug)]
pub(crate) struct Study {
    pub(crate) setting: Setting,
    pub(crate) plan: Plan,
    pub(crate) trials: Vec<Evidence>,
    /// Whether it was stopped before the last trial had ended.
    pub(crate) interrupted: bool,
}

/// What was seen of one contender.
#[derive(Debug)]
pub(crate) struct Evidence {
    pub(crate) contender: Contender,
    /// Requests a second, as measured right before and after.
    pub(crate) capacity: f64,
    pub(crate) observations: Vec<Observation>,
    /// The most in flight, for each phase that was sent to its end.
    pub(crate) peaks: Vec<usize>,
    pub(crate) limits: Limits,
}

impl Study {
    /// One record for each contender and phase that was completed.
    pub(crate) fn records(&self) -> Vec<Record> {
        self.trials
            .iter()
            .flat_map(|evidence| self.records_of(evidence))
            .collect()
    }

    fn records_of(&self, evidence: &Evidence) -> impl Iterator<Item = Record> {
        let completed = self.plan.phases.iter().zip(&evidence.peaks).enumerate();
        completed.map(|(index, (phase, peak))| {
            let mine = evidence
                .observations
                .iter()
                .filter(|o| o.arrival.phase == index);
            let yardstick = Yardstick {
                capacity: evidence.capacity * phase.left,
                deadline: self.setting.deadline,
                length: phase.length,
            };
            let observations: Vec<_> = mine.collect();
            Record::new(
                evidence.contender,
                phase.name,
                yardstick,
                &observations,
                *peak,
                evidence.limits.during(phase),
            )
        })
    }
}
