mod options;
mod probe;

use self::probe::Probe;
use super::bounds::{self, Bounds};
use super::sampler::Sampler;
use super::window::Window;
use super::{Algorithm, Description, Evaluation, Sample, Verdict};
use crate::{ConfigError, Limit};

pub use self::options::VegasOptions;

/// Holds the queue that the latency betrays between two bounds, in windows.
///
/// # The rule
///
/// With `mean` the mean latency of a window's successes and `least` the least
/// such mean since the last probe, the calls that queue rather than run are
/// `queue = ⌈limit × (1 − least / mean)⌉`. With `step = max(1, ⌊log₁₀ limit⌋)`:
///
/// | window | limit |
/// |---|---|
/// | `mean < least`, or a probe | stays; `least = mean` |
/// | any overload in it | `− step` |
/// | `2 × peak < limit` | stays |
/// | `queue ≤ step` | `+ 6 × step` |
/// | `queue < 3 × step` | `+ step` |
/// | `queue > 6 × step` | `− step` |
/// | otherwise | stays |
///
/// A probe, so that `least` can rise again, is due after `30 × limit` windows,
/// less by up to a half by chance.
///
/// The published rule works call by call; here it works on means, in windows
/// as those of [`Aimd`](super::Aimd). Where the work varies from call to call,
/// the quickest of many calls is far below the mean, every other one seems to
/// have queued, and the limit sinks far below what the server bears.
///
/// # What to expect of it
///
/// A quick approach, and a limit close to the best in overload. A dependency
/// that becomes slower it takes for a queue of its own, and falls to a fraction
/// of the throughput until the next probe.
///
/// ```
/// use inflight_core::{Algorithm, Outcome, Sample, Vegas, VegasOptions};
///
/// let mut vegas = Vegas::new(VegasOptions { min_samples: 1, ..VegasOptions::default() })?;
/// let mut call = |second: u64, millis: u64| {
///     vegas.observe(&Sample {
///         now: second * 1_000_000_000,
///         latency: millis * 1_000_000,
///         in_flight: 10,
///         outcome: Outcome::Success,
///     })
///     .get()
/// };
///
/// call(0, 10);
/// assert_eq!(call(1, 10), 10); // the least mean is 10 ms
/// assert_eq!(call(2, 10), 16); // no queue
/// assert_eq!(call(3, 40), 15); // 12 of 16 seem to queue
/// # Ok::<(), inflight_core::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vegas {
    bounds: Bounds,
    limit: Limit,
    sampler: Sampler,
    least: Option<f64>,
    probe: Probe,
    last: Option<Evaluation>,
}

impl Vegas {
    /// The rule at its initial limit, with nothing learnt.
    ///
    /// # Errors
    ///
    /// For the first of these that does not hold: `min_limit` is positive;
    /// `max_limit` is at least `min_limit` and at most [`Limit::MAX`];
    /// `initial_limit` is between them; `sampling_window` is positive.
    pub fn new(options: VegasOptions) -> Result<Self, ConfigError> {
        let (bounds, limit) = Bounds::new(
            VegasOptions::NAME,
            options.min_limit,
            options.max_limit,
            options.initial_limit,
        )?;
        let sampler = Sampler::new(
            VegasOptions::NAME,
            options.sampling_window,
            options.min_samples,
        )?;
        Ok(Self {
            bounds,
            limit,
            sampler,
            least: None,
            probe: Probe::new(options.seed),
            last: None,
        })
    }

    fn evaluate(&mut self, window: &Window) {
        let before = self.limit;
        let verdict = self.decide(window);
        let number = Evaluation::number_after(self.last.as_ref());
        self.last = Some(
            Evaluation::new(number, before, self.limit, verdict).with_grounds(window, self.least),
        );
    }

    fn decide(&mut self, window: &Window) -> Verdict {
        let probing = self.probe.is_due(self.limit);
        if let Some(mean) = window.mean() {
            if probing || self.least.is_none_or(|least| mean < least) {
                self.least = Some(mean);
                return Verdict::Hold;
            }
        }
        let step = usize::try_from(self.limit.get().ilog10())
            .unwrap_or(1)
            .max(1);
        let limit = self.limit.get();
        let (verdict, to) = if window.has_overloads() {
            (Verdict::Overload, limit.saturating_sub(step))
        } else if window.peak().saturating_mul(2) < limit {
            (Verdict::Hold, limit)
        } else {
            judge(self.queue(window), limit, step)
        };
        self.limit = self.bounds.clamp(to);
        verdict
    }

    /// How many of the calls in flight seem to wait rather than to run.
    fn queue(&self, window: &Window) -> usize {
        let (Some(least), Some(mean)) = (self.least, window.mean()) else {
            return 0;
        };
        let running = if mean > 0.0 { least / mean } else { 1.0 };
        bounds::whole((bounds::real(self.limit) * (1.0 - running)).ceil())
    }
}

impl Algorithm for Vegas {
    fn limit(&self) -> Limit {
        self.limit
    }

    fn observe(&mut self, sample: &Sample) -> Limit {
        if let Some(window) = self.sampler.observe(sample) {
            self.evaluate(&window);
        }
        self.limit
    }

    fn last_evaluation(&self) -> Option<Evaluation> {
        self.last
    }

    fn describe(&self) -> Description {
        self.bounds.describe("Vegas", &self.sampler)
    }
}

/// The factors are those of the published rule.
fn judge(queue: usize, limit: usize, step: usize) -> (Verdict, usize) {
    if queue <= step {
        (Verdict::Growth, limit + 6 * step)
    } else if queue < 3 * step {
        (Verdict::Growth, limit + step)
    } else if queue > 6 * step {
        (Verdict::Latency, limit.saturating_sub(step))
    } else {
        (Verdict::Hold, limit)
    }
}
