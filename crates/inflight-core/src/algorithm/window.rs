use std::time::Duration;

use super::{Outcome, Sample};

/// What one window held.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WindowSummary {
    /// Calls that ended well.
    pub successes: u64,
    /// Calls that ended in [`Outcome::Overload`].
    pub overloads: u64,
    /// The mean latency of the successes, if there were any.
    pub mean_latency: Option<Duration>,
    /// The most that was in flight.
    pub peak: usize,
}

/// The samples between two evaluations, added up.
#[derive(Clone, Debug)]
pub(super) struct Window {
    start: u64,
    latest: u64,
    successes: u64,
    overloads: u64,
    /// 128 bits, since 64 bits of nanoseconds overflow after two calls of 300
    /// years, and nothing here may depend on what a clock says.
    latency: u128,
    peak: usize,
}

impl Window {
    pub(super) fn starting_at(now: u64) -> Self {
        Self {
            start: now,
            latest: now,
            successes: 0,
            overloads: 0,
            latency: 0,
            peak: 0,
        }
    }

    /// A time before the latest one seen counts as standing still.
    pub(super) fn add(&mut self, sample: &Sample) {
        self.latest = self.latest.max(sample.now);
        self.raise_peak(sample.in_flight);
        match sample.outcome {
            Outcome::Ignore => {}
            Outcome::Overload => self.overloads += 1,
            Outcome::Success => {
                self.successes += 1;
                self.latency += u128::from(sample.latency);
            }
        }
    }

    pub(super) fn raise_peak(&mut self, in_flight: usize) {
        self.peak = self.peak.max(in_flight);
    }

    pub(super) fn latest(&self) -> u64 {
        self.latest
    }

    pub(super) fn elapsed(&self) -> u64 {
        self.latest - self.start
    }

    pub(super) fn samples(&self) -> u64 {
        self.successes + self.overloads
    }

    pub(super) fn peak(&self) -> usize {
        self.peak
    }

    pub(super) fn has_overloads(&self) -> bool {
        self.overloads > 0
    }

    /// Which part of the samples, of which there is at least one, were
    /// overloads.
    #[expect(
        clippy::cast_precision_loss,
        reason = "2^53 calls do not end in a window"
    )]
    pub(super) fn overload_share(&self) -> f64 {
        self.overloads as f64 / self.samples() as f64
    }

    /// The mean latency of the successes in nanoseconds, if there were any.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a mean off by one part in 2^53 decides nothing"
    )]
    pub(super) fn mean(&self) -> Option<f64> {
        (self.successes > 0).then(|| self.latency as f64 / self.successes as f64)
    }

    pub(super) fn summary(&self) -> WindowSummary {
        WindowSummary {
            successes: self.successes,
            overloads: self.overloads,
            mean_latency: self.mean().map(duration),
            peak: self.peak,
        }
    }
}

/// `nanos` must not be negative; a mean of `u64` nanoseconds always fits.
pub(super) fn duration(nanos: f64) -> Duration {
    Duration::from_secs_f64(nanos / 1e9)
}
