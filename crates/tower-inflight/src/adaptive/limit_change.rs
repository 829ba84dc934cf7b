use std::fmt;

use inflight_core::{Evaluation, Verdict};

use super::rule::Decision;
use crate::sign::Sign;

/// Says that a limit has changed, from what to what, and why.
///
/// Its text is for people and may change:
/// ``concurrency limit `search` went from 10 to 9 (overload)``.
#[derive(Clone, Copy, Debug)]
pub struct LimitChange {
    number: u64,
    before: usize,
    after: usize,
    evaluation: Option<Evaluation>,
    is_enforced: bool,
    sign: Sign,
}

impl LimitChange {
    pub(super) fn new(decision: &Decision, sign: Sign, is_enforced: bool) -> Self {
        Self {
            number: decision.number,
            before: decision.before.get(),
            after: decision.after.get(),
            evaluation: decision.evaluation,
            is_enforced,
            sign,
        }
    }

    /// Counts the changes of one limiter, from 1. Whoever is told of several
    /// at once knows by this which was the last.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The limit that it was.
    pub fn before(&self) -> usize {
        self.before
    }

    /// The limit that it is since.
    pub fn after(&self) -> usize {
        self.after
    }

    /// Why; nothing if the algorithm does not say.
    pub fn verdict(&self) -> Option<Verdict> {
        self.evaluation.map(|evaluation| evaluation.verdict)
    }

    /// The decision with all its grounds, if the algorithm names them.
    pub fn evaluation(&self) -> Option<Evaluation> {
        self.evaluation
    }

    /// Whether the limiter does as was decided; if not, it only reports.
    pub fn is_enforced(&self) -> bool {
        self.is_enforced
    }

    /// The name of the limiter, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        self.sign.name()
    }
}

impl fmt::Display for LimitChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("concurrency limit")?;
        if let Some(name) = self.name() {
            write!(f, " `{name}`")?;
        }
        let verb = if self.is_enforced { "went" } else { "would go" };
        write!(f, " {verb} from {} to {}", self.before, self.after)?;
        match self.verdict() {
            Some(verdict) => write!(f, " ({verdict})"),
            None => Ok(()),
        }
    }
}
