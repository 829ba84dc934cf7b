use std::sync::Arc;

use tokio::runtime::Handle;

use super::call::Ended;
use super::fate::Fate;
use super::faults::Faults;
use super::invariant::Invariant;
use super::subject::Subject;
use super::tally::Tally;

/// A stretch of calls to one subject, which ends with all of them at rest.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) subject: Arc<Subject>,
    /// What the limit is at first, and never above.
    pub(crate) highest: usize,
    pub(crate) operations: u64,
    /// Whether the limiter is closed half-way through.
    pub(crate) closes: bool,
    pub(crate) seed: u64,
    /// The runtimes that a call may go on in.
    pub(crate) runtimes: Arc<[Handle]>,
    pub(crate) faults: Arc<Faults>,
}

impl Round {
    /// Counts a call of this round, unless its end makes no sense.
    pub(crate) fn account(&self, ended: Ended, tally: &mut Tally) -> Option<Fate> {
        let fate = match ended.foreign_panic {
            Some(panic) => Err(format!("a call panicked: {panic}")),
            None => Fate::of(&ended.ending, ended.notes, self.subject.tells),
        };
        match fate {
            Ok(fate) => {
                tally.count(&ended.ending, fate);
                tally.moved += u64::from(ended.moved);
                Some(fate)
            }
            Err(case) => {
                self.faults.report(Invariant::OneFate, || case);
                None
            }
        }
    }
}
