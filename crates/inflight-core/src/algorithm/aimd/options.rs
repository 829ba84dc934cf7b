use std::time::Duration;

use super::Growth;
use crate::ConfigError;

/// The settings of [`Aimd`](super::Aimd).
///
/// The default is the plain rule; [`guarded`](Self::guarded) has the guards
/// that are good together. Set what you want to differ:
///
/// ```
/// use std::time::Duration;
///
/// use inflight_core::{Aimd, AimdOptions};
///
/// let options = AimdOptions {
///     min_limit: 2,
///     sampling_window: Duration::from_millis(500),
///     ..AimdOptions::default()
/// };
/// assert!(Aimd::new(options).is_ok());
///
/// let error = Aimd::new(AimdOptions { min_limit: 20, ..options }).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "AimdOptions.initial_limit must be between min_limit, 20, and max_limit, 100 (was 10)",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimdOptions {
    /// The limit never falls below this; 1 by default.
    ///
    /// Raise it to what the dependency bears on its worst day: it is all that
    /// is left when the rule errs downwards.
    pub min_limit: usize,

    /// The limit never rises above this; 100 by default.
    ///
    /// The rule errs upwards too, slowly, in an overload that lasts. This is
    /// how far it can go: a few times the limit that you would fix by hand.
    pub max_limit: usize,

    /// The limit at the start; 10 by default.
    pub initial_limit: usize,

    /// How old a window is at least when it is evaluated; 1 s by default.
    ///
    /// Longer is calmer and slower: the limit moves once a window.
    pub sampling_window: Duration,

    /// What a congested window leaves of the limit; 0.9 by default.
    ///
    /// Smaller sheds faster and costs more when the alarm was false, since the
    /// way back is one a window.
    pub decrease_factor: f64,

    /// How many times the baseline a mean latency may be; 2 by default.
    ///
    /// Larger bears more variation and lets a longer queue stand in the
    /// dependency before it acts.
    pub latency_tolerance: f64,

    /// How many samples a window holds at least when it is evaluated; 1 by
    /// default, which is the plain rule.
    ///
    /// Without it, a window of three calls is judged as one of three thousand:
    /// one slow call makes a slow mean, and at low traffic the limit ratchets
    /// down by accidents. The cost is that windows become longer where calls
    /// are few (nothing is lost, the window stays open), so that the rule
    /// reacts after that many calls at the earliest. Turn it on where latency
    /// varies from call to call, which is nearly everywhere: with 50, the mean
    /// of an exponential latency is steady to 14 %.
    pub min_samples: u64,

    /// Moves the baseline only in windows in which less than half of the limit
    /// was in use; off by default.
    ///
    /// Without it every window moves the baseline, the congested ones too, and
    /// under an overload that lasts the rule gets used to it and lets the
    /// limit rise again. Above a limit of about 20 even a steady climb, one a
    /// window, raises the baseline as fast as the latency. The cost is that a
    /// dependency which became slower for good is never accepted while it is
    /// busy, and is starved: turn it on together with
    /// [`relearn_after_cut`](Self::relearn_after_cut) only.
    pub learn_baseline_when_idle: bool,

    /// Takes cuts back, and accepts the latency as normal, when so much of the
    /// limit is left and the latency did not fall; above 0 and below 1, off by
    /// default.
    ///
    /// Without it a latency that the limit cannot cure (a slower dependency
    /// behind the server, a longer way) costs throughput until the baseline has
    /// caught up, and for ever if it may not. With it the rule remembers limit
    /// and latency where the cuts began; once only this part of that limit is
    /// left, it asks whether the latency fell by at least a quarter of the
    /// relative cut. If not, the limit goes back. The cost is one such
    /// experiment: for its duration that part of the throughput is lost. And
    /// where several limiters share one bottleneck, nobody's own cut
    /// helps, so they talk each other up: use 0.3 or leave it off there.
    /// Turn it on where the server behind the limit waits for others.
    pub relearn_after_cut: Option<f64>,

    /// When, and by how much, a healthy window raises the limit;
    /// [`Growth::HalfUsed`] by default.
    ///
    /// The plain growth climbs as soon as half of the limit is in use, so the
    /// limit stands at up to twice what traffic needs when a spike comes; and
    /// after a deep cut it takes a window for every permit. [`Growth::Bound`]
    /// climbs only when the limit was reached, and in larger steps once it has
    /// been quiet. The cost is that calls are refused before the limit rises.
    pub growth: Growth,

    /// Takes a window as congested by overloads only if they are more than
    /// this share of its samples; at least 0 and below 1, off by default.
    ///
    /// Without it one failure in ten thousand calls makes a congested window,
    /// and one a window, whatever its cause, holds the limit at the minimum.
    /// The cost is blindness to a small share of true refusals. Turn it on
    /// where the classifier cannot tell overload from other errors, and set it
    /// above the share of errors on a good day.
    pub overload_share: Option<f64>,

    /// Counts a dropped call as an overload if it had already taken as long as
    /// `baseline × latency_tolerance`; off by default, and only together with
    /// [`overload_share`](Self::overload_share).
    ///
    /// Without it, calls that are abandoned for being slow leave no sample, and
    /// the successes that remain look quick: the slower the service, the
    /// better its mean. The cost is that callers who leave for other reasons
    /// after a while are taken for impatient, hence the share. Turn it on where
    /// a timeout or an impatient client sits outside the limiter.
    pub censored_cancellations: bool,

    /// Decides and reports, but does not enforce; off by default.
    ///
    /// The algorithm itself does not look at it; whoever sets the gate does.
    /// Nothing is refused, so what is reported is what the rule would do
    /// at a concurrency that it does not hold down: for a trial before it is
    /// trusted.
    pub monitor_only: bool,
}

impl AimdOptions {
    pub(super) const NAME: &'static str = "AimdOptions";

    /// The guards that are good together, on windows of 200 ms with a
    /// tolerance of 1.5.
    ///
    /// That is `min_samples` 50, `learn_baseline_when_idle`,
    /// `relearn_after_cut` 0.6, [`Growth::Bound`] and `overload_share` 0.1,
    /// found by simulation. One alone can be worse than none: without
    /// `relearn_after_cut`, for one, `learn_baseline_when_idle` starves on a
    /// dependency that merely became slower.
    ///
    /// ```
    /// use inflight_core::AimdOptions;
    ///
    /// // Several limiters share the bottleneck.
    /// let options = AimdOptions {
    ///     relearn_after_cut: Some(0.3),
    ///     ..AimdOptions::guarded()
    /// };
    /// assert_eq!(options.min_samples, 50);
    /// ```
    pub fn guarded() -> Self {
        Self {
            sampling_window: Duration::from_millis(200),
            latency_tolerance: 1.5,
            min_samples: 50,
            learn_baseline_when_idle: true,
            relearn_after_cut: Some(0.6),
            growth: Growth::Bound,
            overload_share: Some(0.1),
            ..Self::default()
        }
    }

    pub(super) fn check_ratios(&self) -> Result<(), ConfigError> {
        let factor = self.decrease_factor;
        check(
            is_inside(factor),
            "decrease_factor",
            "must be above 0 and below 1",
            factor,
        )?;
        let tolerance = self.latency_tolerance;
        check(
            tolerance.is_finite() && tolerance >= 1.0,
            "latency_tolerance",
            "must be finite and at least 1",
            tolerance,
        )?;
        if let Some(ratio) = self.relearn_after_cut {
            check(
                is_inside(ratio),
                "relearn_after_cut",
                "must be above 0 and below 1",
                ratio,
            )?;
        }
        if let Some(share) = self.overload_share {
            check(
                (0.0..1.0).contains(&share),
                "overload_share",
                "must be at least 0 and below 1",
                share,
            )?;
        }
        check(
            self.overload_share.is_some() || !self.censored_cancellations,
            "censored_cancellations",
            "must be false without overload_share",
            self.censored_cancellations,
        )
    }
}

impl Default for AimdOptions {
    fn default() -> Self {
        Self {
            min_limit: 1,
            max_limit: 100,
            initial_limit: 10,
            sampling_window: Duration::from_secs(1),
            decrease_factor: 0.9,
            latency_tolerance: 2.0,
            min_samples: 1,
            learn_baseline_when_idle: false,
            relearn_after_cut: None,
            growth: Growth::HalfUsed,
            overload_share: None,
            censored_cancellations: false,
            monitor_only: false,
        }
    }
}

fn is_inside(ratio: f64) -> bool {
    0.0 < ratio && ratio < 1.0
}

fn check(
    holds: bool,
    property: &'static str,
    requirement: &'static str,
    value: impl std::fmt::Display,
) -> Result<(), ConfigError> {
    if holds {
        return Ok(());
    }
    Err(ConfigError::new(
        AimdOptions::NAME,
        property,
        requirement,
        value,
    ))
}
