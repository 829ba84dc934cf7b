use std::time::Duration;

use inflight_core::{Evaluation, Limit, WindowSummary};

/// What an adaptive limiter has learnt, as of one moment.
///
/// ```
/// use tower_inflight::{AdaptiveAimdLayer, Limiter};
///
/// let adaptation = AdaptiveAimdLayer::new().limiter().adaptation().unwrap();
/// assert_eq!((adaptation.limit, adaptation.changes), (10, 0));
/// assert_eq!(adaptation.baseline(), None);
///
/// assert!(Limiter::new(10).adaptation().is_none());
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptation {
    /// The limit that the algorithm has decided on. It is in force, unless the
    /// limiter only monitors.
    pub limit: usize,
    /// How often the limit has changed.
    pub changes: u64,
    /// The latest decision, those included that left the limit where it was.
    pub last: Option<Evaluation>,
}

impl Adaptation {
    pub(super) fn new(limit: Limit, changes: u64, last: Option<Evaluation>) -> Self {
        Self {
            limit: limit.get(),
            changes,
            last,
        }
    }

    /// The latency that counts as normal, if anything does yet.
    pub fn baseline(&self) -> Option<Duration> {
        self.last?.baseline
    }

    /// What the latest decision looked at.
    pub fn last_window(&self) -> Option<WindowSummary> {
        self.last.map(|last| last.window)
    }
}
