use std::time::Duration;

use crate::overload::arrivals;
use crate::overload::arrivals::Arrival;
use crate::overload::phase::Phase;
use crate::overload::setting::Setting;

/// What every contender is to meet.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) phases: Vec<Phase>,
    pub(crate) arrivals: Vec<Arrival>,
    pub(crate) deadline: Duration,
    /// The requests a second that the loads are multiples of.
    pub(crate) capacity: f64,
}

impl Plan {
    /// `slow` is what a slow database leaves of the capacity.
    pub(crate) fn new(setting: &Setting, capacity: f64, slow: f64) -> Self {
        let phases = Phase::sequence(setting.phase, slow);
        let arrivals = arrivals::schedule(&phases, capacity, setting.seed);
        Self {
            phases,
            arrivals,
            deadline: setting.deadline,
            capacity,
        }
    }

    /// How long the arrivals go on.
    pub(crate) fn end(&self) -> Duration {
        self.phases.last().map_or(Duration::ZERO, Phase::end)
    }

    /// The phase in which more arrives than the database can ever answer.
    pub(crate) fn overload(&self) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.load > 1.0)
    }

    /// The phase in which the database is slow.
    pub(crate) fn slow(&self) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.stores > 1)
    }

    /// How long to wait for answers once everything has been sent.
    ///
    /// Who was let in without bound is answered by then: in lengths of a plain
    /// phase, of which all together last six, the overload leaves two and a
    /// half of work behind and the slow database one and a quarter, of which
    /// the phases between and after serve one.
    pub(crate) fn patience(&self) -> Duration {
        self.deadline + self.end() / 2
    }
}
