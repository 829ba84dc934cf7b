mod baseline;
mod growth;
mod options;
mod relearning;

use self::baseline::Baseline;
use self::relearning::Relearning;
use super::bounds::{self, Bounds};
use super::sampler::Sampler;
use super::window::Window;
use super::{Algorithm, Description, Evaluation, Outcome, Sample, Verdict};
use crate::{ConfigError, Limit};

pub use self::growth::Growth;
pub use self::options::AimdOptions;

/// Raises the limit by one after a healthy window and cuts it by a factor
/// after a congested one: additive increase, multiplicative decrease.
///
/// # The rule
///
/// Ended calls are gathered in windows. A call that ends when the window is at
/// least [`sampling_window`](AimdOptions::sampling_window) old closes and
/// evaluates it; there is no timer. With `mean` the mean latency of the
/// window's successes:
///
/// - *congested* is a window with any overload, or with
///   `mean > baseline × latency_tolerance`. Then
///   `limit = max(min_limit, ⌊limit × decrease_factor⌋)`.
/// - Any other window with a success in it, of which `2 × peak ≥ limit`,
///   raises the limit by one, up to `max_limit`. Growth needs evidence: an
///   idle service's quick answers say nothing about a higher limit.
/// - The first window with a success sets `baseline = mean`. Every later one
///   moves it, *after* the comparison:
///   `baseline += 0.1 × (mean − baseline)`, never below 100 ns.
///
/// A call that was dropped is no sample; it leaves only how much was in
/// flight.
///
/// # What to expect of it
///
/// The baseline follows every window, the congested ones too. So a latency
/// that jumps and stays is cut for a while and then becomes normal. Here it
/// jumps from 1 ms to 20 ms; the limit falls from 100 to 45, then no further:
///
/// ```
/// use inflight_core::{Aimd, AimdOptions, Algorithm, Outcome, Sample};
///
/// let mut aimd = Aimd::new(AimdOptions {
///     initial_limit: 100,
///     ..AimdOptions::default()
/// })?;
/// let mut call = |second: u64, millis: u64| {
///     aimd.observe(&Sample {
///         now: second * 1_000_000_000,
///         latency: millis * 1_000_000,
///         in_flight: 1,
///         outcome: Outcome::Success,
///     })
///     .get()
/// };
///
/// call(0, 1);
/// assert_eq!(call(1, 1), 100); // the baseline is 1 ms
///
/// let limits: Vec<usize> = (2..=10).map(|second| call(second, 20)).collect();
/// assert_eq!(limits, [90, 81, 72, 64, 57, 51, 45, 45, 45]);
/// # Ok::<(), inflight_core::ConfigError>(())
/// ```
///
/// # Weaknesses
///
/// With few calls a window, one slow call is a slow window, and the limit
/// ratchets down. Above a limit of about 20 the baseline follows a slow ramp
/// and hides it. One error a window, whatever its cause, starves it. A
/// dependency that becomes slower is taken for overload.
/// [`AimdOptions::guarded`] answers all four; each guard is explained on its
/// option. Where the capacity is known and stays, a fixed limit beats either.
#[derive(Clone, Debug)]
pub struct Aimd {
    options: AimdOptions,
    bounds: Bounds,
    limit: Limit,
    sampler: Sampler,
    baseline: Baseline,
    relearning: Relearning,
    /// When the latest congested window ended.
    congested_at: Option<u64>,
    last: Option<Evaluation>,
}

impl Aimd {
    /// The rule at its initial limit, with nothing learnt.
    ///
    /// # Errors
    ///
    /// For the first of these that does not hold: `min_limit` is positive;
    /// `max_limit` is at least `min_limit` and at most [`Limit::MAX`];
    /// `initial_limit` is between them; `sampling_window` is positive;
    /// `decrease_factor` is above 0 and below 1; `latency_tolerance` is finite
    /// and at least 1; `relearn_after_cut` is above 0 and below 1;
    /// `overload_share` is at least 0 and below 1; `censored_cancellations`
    /// comes with an `overload_share`.
    pub fn new(options: AimdOptions) -> Result<Self, ConfigError> {
        let (bounds, limit) = Bounds::new(
            AimdOptions::NAME,
            options.min_limit,
            options.max_limit,
            options.initial_limit,
        )?;
        let sampler = Sampler::new(
            AimdOptions::NAME,
            options.sampling_window,
            options.min_samples,
        )?;
        options.check_ratios()?;
        Ok(Self {
            options,
            bounds,
            limit,
            sampler,
            baseline: Baseline::new(options.latency_tolerance),
            relearning: Relearning::new(options.relearn_after_cut),
            congested_at: None,
            last: None,
        })
    }

    /// The settings it was built with.
    pub fn options(&self) -> &AimdOptions {
        &self.options
    }

    #[cold]
    #[inline(never)]
    fn evaluate(&mut self, window: &Window) {
        let before = self.limit;
        let mean = window.mean();
        if let Some(mean) = mean {
            self.baseline.establish(mean);
        }
        let slow = mean.filter(|&mean| self.baseline.is_exceeded_by(mean));
        let (verdict, after) = self.decide(window, slow);

        self.limit = after;
        if verdict.is_congested() {
            self.congested_at = Some(window.latest());
        }
        if let Some(mean) = mean {
            self.learn(verdict, mean, window.peak(), before);
        }
        let number = Evaluation::number_after(self.last.as_ref());
        self.last = Some(
            Evaluation::new(number, before, after, verdict)
                .with_grounds(window, self.baseline.nanos()),
        );
    }

    /// `slow` is the mean latency, where it was too high.
    fn decide(&mut self, window: &Window, slow: Option<f64>) -> (Verdict, Limit) {
        let overloaded = window.overload_share() > self.options.overload_share.unwrap_or(0.0);
        if let Some(mean) = slow {
            let restored = self
                .relearning
                .slow_window(self.limit, self.bounds.min(), mean);
            if let Some(restored) = restored {
                return (Verdict::Relearned, restored);
            }
        } else if !overloaded {
            self.relearning.quiet_window();
        }
        match (overloaded, slow) {
            (true, _) => (Verdict::Overload, self.cut()),
            (false, Some(_)) => (Verdict::Latency, self.cut()),
            (false, None) => self.grow(window),
        }
    }

    fn cut(&self) -> Limit {
        self.bounds
            .floor(bounds::real(self.limit) * self.options.decrease_factor)
    }

    /// A window that is not congested has a success, since without one all of
    /// its samples are overloads, which is more than any share.
    fn grow(&self, window: &Window) -> (Verdict, Limit) {
        if self.limit >= self.bounds.max() {
            return (Verdict::Hold, self.limit);
        }
        let quiet_for = self
            .congested_at
            .map_or(u64::MAX, |then| window.latest() - then);
        let limit = self.limit.get();
        match self.options.growth.step(limit, window.peak(), quiet_for) {
            0 => (Verdict::Hold, self.limit),
            step => (Verdict::Growth, self.bounds.clamp(limit + step)),
        }
    }

    fn learn(&mut self, verdict: Verdict, mean: f64, peak: usize, before: Limit) {
        let idle = peak.saturating_mul(2) < before.get();
        if verdict == Verdict::Relearned {
            self.baseline.replace(mean);
        } else if idle || !self.options.learn_baseline_when_idle {
            self.baseline.follow(mean);
        }
    }

    /// Whether the caller of a dropped call had waited longer than a call may
    /// take: then it would have been a slow call or a failed one.
    fn is_censored(&self, sample: &Sample) -> bool {
        self.options.censored_cancellations
            && sample.outcome == Outcome::Ignore
            && self.baseline.is_reached_by(sample.latency)
    }
}

impl Algorithm for Aimd {
    fn limit(&self) -> Limit {
        self.limit
    }

    fn observe(&mut self, sample: &Sample) -> Limit {
        let mut sample = *sample;
        if self.is_censored(&sample) {
            sample.outcome = Outcome::Overload;
        }
        if let Some(window) = self.sampler.observe(&sample) {
            self.evaluate(&window);
        }
        self.limit
    }

    fn last_evaluation(&self) -> Option<Evaluation> {
        self.last
    }

    fn describe(&self) -> Description {
        self.bounds.describe("AIMD", &self.sampler)
    }
}
