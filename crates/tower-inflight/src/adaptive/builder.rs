use std::fmt;

use inflight_core::Algorithm;

use super::AdaptiveLayer;
use super::plan::Plan;
use super::rule::Rule;
use super::setters::adaptive_setters;
use crate::ConfigError;
use crate::hold::UntilResponse;

/// Builds an [`AdaptiveLayer`]; start with [`AdaptiveLayer::builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct AdaptiveBuilder<C = (), T = (), H = UntilResponse> {
    rule: Rule,
    monitor_only: bool,
    plan: Plan<C, T, H>,
}

impl AdaptiveBuilder {
    pub(super) fn new(algorithm: impl Algorithm + Send + 'static) -> Self {
        Self {
            rule: Rule::new(algorithm),
            monitor_only: false,
            plan: Plan::new(),
        }
    }
}

impl<C, T, H> AdaptiveBuilder<C, T, H> {
    adaptive_setters!(AdaptiveBuilder { rule, monitor_only });

    /// Has the algorithm decide and report, and nobody obey: no limit is
    /// enforced at all. By default it is.
    ///
    /// What it would do is in [`Limiter::adaptation`], and is told like any
    /// other change; the limit of a [`snapshot`] is 2<sup>31</sup> - 1.
    ///
    /// [`Limiter::adaptation`]: crate::Limiter::adaptation
    /// [`snapshot`]: crate::Limiter::snapshot
    pub fn monitor_only(mut self, monitor_only: bool) -> Self {
        self.monitor_only = monitor_only;
        self
    }

    /// Builds the layer, and with it the limiter that all its services share.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build(self) -> Result<AdaptiveLayer<C, T, H>, ConfigError> {
        self.plan.build(self.rule, self.monitor_only, None)
    }
}

impl<C, T, H> fmt::Debug for AdaptiveBuilder<C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdaptiveBuilder")
            .field("monitor_only", &self.monitor_only)
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}
