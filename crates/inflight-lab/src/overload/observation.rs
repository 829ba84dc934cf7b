use std::time::Duration;

use crate::overload::arrivals::Arrival;

/// What became of one arrival.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) arrival: Arrival,
    pub(crate) outcome: Outcome,
}

/// How a request ended. A latency counts from the scheduled arrival.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    /// It got its report, in time or not.
    Answered { latency: Duration },
    /// Something broke that no limit explains.
    Failed { error: String },
    /// It was told that it would not be served.
    Rejected { reason: String },
    /// It still waited when the trial ended.
    Unanswered,
}

impl Observation {
    /// Its latency, if it was answered, however late.
    pub(crate) fn latency(&self) -> Option<Duration> {
        match self.outcome {
            Outcome::Answered { latency } => Some(latency),
            Outcome::Failed { .. } | Outcome::Rejected { .. } | Outcome::Unanswered => None,
        }
    }

    /// Whether it was answered within the deadline.
    pub(crate) fn in_time(&self, deadline: Duration) -> bool {
        self.latency().is_some_and(|latency| latency <= deadline)
    }

    /// What broke, if something did.
    pub(crate) fn error(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Failed { error } => Some(error),
            Outcome::Answered { .. } | Outcome::Rejected { .. } | Outcome::Unanswered => None,
        }
    }
}
