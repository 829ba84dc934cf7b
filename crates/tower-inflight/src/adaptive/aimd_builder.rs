use std::fmt;
use std::time::Duration;

use inflight_core::{Aimd, AimdOptions};

use super::AdaptiveAimdLayer;
use super::plan::Plan;
use super::rule::Rule;
use super::setters::adaptive_setters;
use crate::hold::UntilResponse;
use crate::{AdaptiveAimdOptions, ConfigError};

/// Builds an [`AdaptiveAimdLayer`]; start with [`AdaptiveAimdLayer::builder`].
///
/// It has a setter for each setting of the plain rule. The guards, and the
/// preset that has those that are good together, are in [`AimdOptions`]:
///
/// ```
/// use tower_inflight::{AdaptiveAimdLayer, AimdOptions};
///
/// let layer = AdaptiveAimdLayer::builder().options(AimdOptions::guarded()).max_limit(50).build()?;
/// assert_eq!(
///     layer.to_string(),
///     "AdaptiveConcurrencyLimit(AIMD, initial 10, min 1, max 50, window 200ms)",
/// );
///
/// let error = AdaptiveAimdLayer::builder().min_limit(20).build().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "AimdOptions.initial_limit must be between min_limit, 20, and max_limit, 100 (was 10)",
/// );
/// # Ok::<(), tower_inflight::ConfigError>(())
/// ```
#[must_use = "a builder does nothing until `build`"]
pub struct AdaptiveAimdBuilder<C = (), T = (), H = UntilResponse> {
    options: AimdOptions,
    plan: Plan<C, T, H>,
}

impl AdaptiveAimdBuilder {
    pub(super) fn new() -> Self {
        Self {
            options: AimdOptions::default(),
            plan: Plan::new(),
        }
    }
}

impl<C, T, H> AdaptiveAimdBuilder<C, T, H> {
    /// Replaces all the settings of the rule, the guards included.
    pub fn options(mut self, options: AimdOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets what the limit never falls below; by default 1.
    pub fn min_limit(mut self, min_limit: usize) -> Self {
        self.options.min_limit = min_limit;
        self
    }

    /// Sets what the limit never rises above; by default 100.
    pub fn max_limit(mut self, max_limit: usize) -> Self {
        self.options.max_limit = max_limit;
        self
    }

    /// Sets the limit at the start; by default 10.
    pub fn initial_limit(mut self, initial_limit: usize) -> Self {
        self.options.initial_limit = initial_limit;
        self
    }

    /// Sets how old a window is at least when it is evaluated; by default 1 s.
    pub fn sampling_window(mut self, sampling_window: Duration) -> Self {
        self.options.sampling_window = sampling_window;
        self
    }

    /// Sets what a congested window leaves of the limit; by default 0.9.
    pub fn decrease_factor(mut self, decrease_factor: f64) -> Self {
        self.options.decrease_factor = decrease_factor;
        self
    }

    /// Sets how many times the baseline a mean latency may be; by default 2.
    pub fn latency_tolerance(mut self, latency_tolerance: f64) -> Self {
        self.options.latency_tolerance = latency_tolerance;
        self
    }

    adaptive_setters!(AdaptiveAimdBuilder { options });

    /// Builds the layer, and with it the limiter that all its services share.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used: those of the rule in the
    /// order of [`Aimd::new`], then those of the line.
    pub fn build(self) -> Result<AdaptiveAimdLayer<C, T, H>, ConfigError> {
        let options = self.options;
        let rule = Rule::new(Aimd::new(options)?);
        let layer = self.plan.build(rule, options.monitor_only, Some(options))?;
        Ok(AdaptiveAimdLayer::with_layer(layer))
    }
}

/// Begins with these settings; the setters change them further.
impl From<AdaptiveAimdOptions> for AdaptiveAimdBuilder {
    fn from(options: AdaptiveAimdOptions) -> Self {
        let mut builder = Self::new().options(options.rule);
        builder.plan.settings.options = options.line();
        builder
    }
}

impl<C, T, H> fmt::Debug for AdaptiveAimdBuilder<C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdaptiveAimdBuilder")
            .field("options", &self.options)
            .field("plan", &self.plan)
            .finish()
    }
}
