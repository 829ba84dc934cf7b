use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::fate::{Ending, Fate};

/// What the callers counted.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Tally {
    pub(crate) admitted: u64,
    pub(crate) cancelled: u64,
    /// By reason.
    pub(crate) rejected: BTreeMap<&'static str, u64>,
    /// Of the admitted: those that were given up while they ran.
    pub(crate) cut_short: u64,
    /// Of the admitted: those whose work panicked.
    pub(crate) panicked: u64,
    /// Calls that went on elsewhere than they had begun.
    pub(crate) moved: u64,
    /// Changes of the limit.
    pub(crate) resized: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, ending: &Ending, fate: Fate) {
        match fate {
            Fate::Admitted => self.admitted += 1,
            Fate::Cancelled => self.cancelled += 1,
            Fate::Rejected(reason) => *self.rejected.entry(reason.as_str()).or_default() += 1,
        }
        if fate == Fate::Admitted {
            self.cut_short += u64::from(*ending == Ending::GivenUp);
            self.panicked += u64::from(*ending == Ending::Panicked);
        }
    }

    /// Over all reasons.
    pub(crate) fn rejected(&self) -> u64 {
        self.rejected.values().sum()
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Self) {
        self.admitted += more.admitted;
        self.cancelled += more.cancelled;
        self.cut_short += more.cut_short;
        self.panicked += more.panicked;
        self.moved += more.moved;
        self.resized += more.resized;
        for (reason, count) in more.rejected {
            *self.rejected.entry(reason).or_default() += count;
        }
    }
}
