use super::bounds;
use crate::Limit;

/// Finds out whether cutting the limit cures a high latency.
///
/// In a saturated server latency falls with the limit. Where a good part of
/// the limit has been cut and the latency did not fall by a fair share of it,
/// the cause lies elsewhere, and the cuts cost throughput for nothing.
#[derive(Clone, Debug)]
pub(super) struct Relearning {
    /// Which part of the anchor's limit must be left for the question to be
    /// asked; none: never.
    ratio: Option<f64>,
    anchor: Option<Anchor>,
}

/// Where the cuts began.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    limit: Limit,
    mean: f64,
}

impl Relearning {
    pub(super) fn new(ratio: Option<f64>) -> Self {
        Self {
            ratio,
            anchor: None,
        }
    }

    /// Takes a window that was slow at `limit`, before any cut. If the cuts so
    /// far were futile, returns the limit at which they began.
    pub(super) fn slow_window(&mut self, limit: Limit, min: Limit, mean: f64) -> Option<Limit> {
        let ratio = self.ratio?;
        let here = Anchor { limit, mean };
        let Some(anchor) = self.anchor else {
            self.anchor = Some(here);
            return None;
        };
        let (now, then) = (bounds::real(limit), bounds::real(anchor.limit));
        if mean > RISING * anchor.mean && now >= ONSET * then {
            self.anchor = Some(here);
        } else if now <= ratio * then || limit <= min && min < anchor.limit {
            if mean > anchor.mean * (1.0 - CURED * (1.0 - now / then)) {
                self.anchor = None;
                return Some(anchor.limit);
            }
            self.anchor = Some(here);
        }
        None
    }

    pub(super) fn quiet_window(&mut self) {
        self.anchor = None;
    }
}

/// By how much the latency must exceed the anchor's to be still rising. This
/// and the two below were found by simulation.
const RISING: f64 = 1.05;

/// Which part of the anchor's limit is left while the onset lasts: one cut by
/// the default factor.
const ONSET: f64 = 0.9;

/// Which part of the relative cut the latency must have fallen by for the cuts
/// to have helped. In full saturation it is all of it; a quarter leaves room
/// for noise.
const CURED: f64 = 0.25;
