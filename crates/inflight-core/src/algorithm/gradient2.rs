mod average;
mod options;

use std::cmp::Ordering;

use self::average::Average;
use super::bounds::{self, Bounds};
use super::sampler::Sampler;
use super::window::Window;
use super::{Algorithm, Description, Evaluation, Sample, Verdict};
use crate::{ConfigError, Limit};

pub use self::options::Gradient2Options;

/// Follows the ratio of long to short mean latency, in windows.
///
/// # The rule
///
/// With `mean` the mean latency of a window's successes and `long` an average
/// of some 600 such means:
///
/// - `gradient = 1.5 × long / mean`, but at least 0.5 and at most 1
/// - `limit = 0.8 × limit + 0.2 × (gradient × limit + 4)`, unless
///   `peak < limit / 2`
/// - if `long > 2 × mean`, then `long = 0.95 × long`, so that a baseline
///   learnt in bad times does not outlive them
///
/// Up to a `mean` of 1.5 times `long` the gradient is 1 and the limit rises by
/// 0.8 a window. Above that the limit tends to `4 / (1 − gradient)`, falling by
/// up to a tenth a window. It has a fraction inside and is rounded down
/// outside. A window without a success changes nothing.
///
/// # What to expect of it
///
/// It bears widely spread service times, and always stands a little above what
/// is needed, since it adds 4 to whatever the gradient leaves. It does not
/// see failures. In an overload that lasts, `long` approaches `mean`, the
/// gradient becomes 1, and the limit rises by 0.8 a window for ever:
///
/// ```
/// use inflight_core::{Algorithm, Gradient2, Gradient2Options, Outcome, Sample};
///
/// let mut gradient2 = Gradient2::new(Gradient2Options {
///     min_samples: 1,
///     ..Gradient2Options::default()
/// })?;
/// let mut last = 0;
/// let mut call = |millis: u64| {
///     last += 1_000_000_000;
///     let sample = Sample {
///         now: last,
///         latency: millis * 1_000_000,
///         in_flight: 100,
///         outcome: Outcome::Success,
///     };
///     gradient2.observe(&sample).get()
/// };
///
/// (0..100).for_each(|_| drop(call(10)));
/// let before = call(10);
/// assert!(call(40) < before);
/// (0..600).for_each(|_| drop(call(40)));
/// assert_eq!(call(40), 100); // the maximum, at four times the latency
/// # Ok::<(), inflight_core::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gradient2 {
    bounds: Bounds,
    estimate: f64,
    sampler: Sampler,
    long: Average,
    last: Option<Evaluation>,
}

impl Gradient2 {
    /// The rule at its initial limit, with nothing learnt.
    ///
    /// # Errors
    ///
    /// For the first of these that does not hold: `min_limit` is positive;
    /// `max_limit` is at least `min_limit` and at most [`Limit::MAX`];
    /// `initial_limit` is between them; `sampling_window` is positive.
    pub fn new(options: Gradient2Options) -> Result<Self, ConfigError> {
        let (bounds, limit) = Bounds::new(
            Gradient2Options::NAME,
            options.min_limit,
            options.max_limit,
            options.initial_limit,
        )?;
        let sampler = Sampler::new(
            Gradient2Options::NAME,
            options.sampling_window,
            options.min_samples,
        )?;
        Ok(Self {
            bounds,
            estimate: bounds::real(limit),
            sampler,
            long: Average::default(),
            last: None,
        })
    }

    fn evaluate(&mut self, window: &Window) {
        let before = self.limit();
        let verdict = window
            .mean()
            .map_or(Verdict::Hold, |mean| self.follow(mean, window.peak()));
        let number = Evaluation::number_after(self.last.as_ref());
        self.last = Some(
            Evaluation::new(number, before, self.limit(), verdict)
                .with_grounds(window, self.long.value()),
        );
    }

    fn follow(&mut self, mean: f64, peak: usize) -> Verdict {
        let mean = mean.max(1.0);
        let long = self.long.add(mean);
        if long / mean > RECOVERY {
            self.long.scale(RECOVERY_STEP);
        }
        if peak.saturating_mul(2) < self.limit().get() {
            return Verdict::Hold;
        }
        let gradient = (TOLERANCE * long / mean).clamp(0.5, 1.0);
        let next = self.estimate * gradient + QUEUE;
        let smoothed = self.estimate * (1.0 - SMOOTHING) + next * SMOOTHING;
        let clamped = smoothed.clamp(
            bounds::real(self.bounds.min()),
            bounds::real(self.bounds.max()),
        );
        let before = self.limit();
        self.estimate = clamped;
        match self.limit().cmp(&before) {
            Ordering::Greater => Verdict::Growth,
            _ if gradient < 1.0 => Verdict::Latency,
            _ => Verdict::Hold,
        }
    }
}

impl Algorithm for Gradient2 {
    fn limit(&self) -> Limit {
        self.bounds.floor(self.estimate)
    }

    fn observe(&mut self, sample: &Sample) -> Limit {
        if let Some(window) = self.sampler.observe(sample) {
            self.evaluate(&window);
        }
        self.limit()
    }

    fn last_evaluation(&self) -> Option<Evaluation> {
        self.last
    }

    fn describe(&self) -> Description {
        self.bounds.describe("Gradient2", &self.sampler)
    }
}

// The published rule's choices: how far the latency may stand above its
// average, what is added for calls to queue in, how much of a new limit is
// taken over at once, and when and how fast an average that is too high falls.
const TOLERANCE: f64 = 1.5;
const QUEUE: f64 = 4.0;
const SMOOTHING: f64 = 0.2;
const RECOVERY: f64 = 2.0;
const RECOVERY_STEP: f64 = 0.95;
