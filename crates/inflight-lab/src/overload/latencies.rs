use std::time::Duration;

use hdrhistogram::Histogram;

/// A distribution of latencies.
#[derive(Debug)]
pub(crate) struct Latencies {
    microseconds: Histogram<u64>,
}

impl Latencies {
    pub(crate) fn new() -> Self {
        let microseconds = Histogram::new_with_max(LONGEST, SIGNIFICANT_DIGITS);
        Self {
            microseconds: microseconds.expect("the bounds are constants and in range"),
        }
    }

    pub(crate) fn record(&mut self, latency: Duration) {
        let microseconds = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.saturating_record(microseconds);
    }

    /// The latency in milliseconds that a share of `quantile` did not exceed.
    ///
    /// There is none of nothing.
    #[expect(clippy::cast_precision_loss, reason = "an hour of microseconds fits")]
    pub(crate) fn quantile(&self, quantile: f64) -> Option<f64> {
        let any = !self.microseconds.is_empty();
        any.then(|| self.microseconds.value_at_quantile(quantile) as f64 / 1000.0)
    }
}

impl FromIterator<Duration> for Latencies {
    fn from_iter<I: IntoIterator<Item = Duration>>(latencies: I) -> Self {
        let mut all = Self::new();
        for latency in latencies {
            all.record(latency);
        }
        all
    }
}

/// One hour, in microseconds.
const LONGEST: u64 = 3_600_000_000;

const SIGNIFICANT_DIGITS: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_one_to_a_hundred_milliseconds() {
        let latencies: Latencies = (1..=100).map(Duration::from_millis).collect();
        for (quantile, expected) in [(0.5, 50.0), (0.99, 99.0), (1.0, 100.0)] {
            let found = latencies.quantile(quantile).unwrap();
            assert!((found - expected).abs() < 0.1, "{quantile}: {found}");
        }
    }

    #[test]
    fn nothing_has_no_quantile() {
        assert_eq!(Latencies::new().quantile(0.5), None);
    }
}
