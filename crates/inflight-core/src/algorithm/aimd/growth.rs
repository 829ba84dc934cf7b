/// How full the limit must have been for a healthy window to raise it, and by
/// how much it rises.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Growth {
    /// All of it, `peak ≥ limit`: by `⌈√limit⌉` once 5 s have passed since the
    /// last congested window, or if there was none; before that by 1.
    Bound,
    /// At least half, `2 × peak ≥ limit`: by 1.
    #[default]
    HalfUsed,
}

impl Growth {
    /// By how much a healthy window raises `limit`; 0 where it was not in use.
    pub(super) fn step(self, limit: usize, peak: usize, quiet_for: u64) -> usize {
        match self {
            Self::Bound if peak < limit => 0,
            Self::Bound if quiet_for >= QUIET => root_rounded_up(limit),
            Self::Bound => 1,
            Self::HalfUsed => usize::from(peak.saturating_mul(2) >= limit),
        }
    }
}

fn root_rounded_up(limit: usize) -> usize {
    let root = limit.isqrt();
    root + usize::from(root * root < limit)
}

/// 5 s in nanoseconds: long enough that growth in large steps does not start
/// again before the calls let in by the last step have been measured. Found by
/// simulation.
const QUIET: u64 = 5_000_000_000;
