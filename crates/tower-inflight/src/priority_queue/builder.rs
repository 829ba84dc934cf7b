use std::fmt;

use super::PriorityQueueLayer;
use crate::ConfigError;
use crate::builder::{Settings, limiter_setters};

/// Builds a [`PriorityQueueLayer`]; start with [`PriorityQueueLayer::builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct PriorityQueueBuilder<P, W = ()> {
    settings: Settings,
    priority: P,
    weight: W,
}

impl<P> PriorityQueueBuilder<P> {
    pub(super) fn new(priority: P) -> Self {
        Self {
            settings: Settings::default(),
            priority,
            weight: (),
        }
    }
}

impl<P, W> PriorityQueueBuilder<P, W> {
    limiter_setters!();

    /// Lets each request take as many units of the limit as `weight` says; by
    /// default each takes one.
    ///
    /// See [`PriorityQueueLayer::with_weight`].
    pub fn weight<V>(self, weight: V) -> PriorityQueueBuilder<P, V> {
        PriorityQueueBuilder {
            settings: self.settings,
            priority: self.priority,
            weight,
        }
    }

    /// Builds the layer, and with it the limiter that all its services share;
    /// its line goes by priority, whatever the options say.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build(mut self) -> Result<PriorityQueueLayer<P, W>, ConfigError> {
        self.settings.options.use_priority_queue = true;
        let limiter = self.settings.build()?;
        let layer = PriorityQueueLayer::with_limiter(limiter, self.priority);
        Ok(layer.with_weight(self.weight))
    }
}

impl<P, W> fmt::Debug for PriorityQueueBuilder<P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueueBuilder")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
