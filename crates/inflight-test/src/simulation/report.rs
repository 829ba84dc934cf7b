use std::time::Duration;

/// What became of the calls that arrived in one phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseReport {
    /// Calls that arrived.
    pub offered: u64,
    /// Calls that were answered before the deadline.
    pub good: u64,
    /// The least limit in force during the phase, and the greatest.
    pub limits: Option<(usize, usize)>,
    latencies: Vec<u64>,
}

impl PhaseReport {
    /// Calls that found the limit reached.
    pub fn refused(&self) -> u64 {
        self.offered - self.latencies.len() as u64
    }

    /// Which part of the calls was answered before the deadline; 0 if none
    /// arrived.
    #[expect(clippy::cast_precision_loss, reason = "these are counts of calls")]
    pub fn goodput(&self) -> f64 {
        self.good as f64 / self.offered.max(1) as f64
    }

    /// The latency that `share` of the calls let in stayed within;
    /// none if no call was.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "these are counts of calls"
        )]
        let rank = (sorted.len() as f64 * share) as usize;
        let last = sorted.len().checked_sub(1)?;
        sorted
            .get(rank.min(last))
            .copied()
            .map(Duration::from_nanos)
    }

    pub(super) fn answer(&mut self, latency: u64, deadline: u64) {
        self.latencies.push(latency);
        self.good += u64::from(latency <= deadline);
    }

    pub(super) fn see_limit(&mut self, limit: usize) {
        let (least, most) = self.limits.unwrap_or((limit, limit));
        self.limits = Some((least.min(limit), most.max(limit)));
    }
}
