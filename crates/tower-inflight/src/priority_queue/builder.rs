use std::fmt;

use super::PriorityQueueLayer;
use crate::ConfigError;
use crate::builder::{Settings, call_setters, limiter_setters};
use crate::hold::UntilResponse;
use crate::ticketing::Prioritized;

/// Builds a [`PriorityQueueLayer`]; start with [`PriorityQueueLayer::builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct PriorityQueueBuilder<T, H = UntilResponse> {
    settings: Settings,
    ticketing: T,
    hold: H,
}

impl<P> PriorityQueueBuilder<Prioritized<P>> {
    pub(super) fn new(priority: P) -> Self {
        Self {
            settings: Settings::default(),
            ticketing: Prioritized::new(priority, ()),
            hold: UntilResponse,
        }
    }
}

impl<T, H> PriorityQueueBuilder<T, H> {
    limiter_setters!();

    call_setters!(PriorityQueueBuilder<>: weight, max_wait, exempt, hold);

    /// Builds the layer, and with it the limiter that all its services share;
    /// its line goes by priority, whatever the options say.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build(mut self) -> Result<PriorityQueueLayer<T, H>, ConfigError> {
        self.settings.options.use_priority_queue = true;
        let limiter = self.settings.build()?;
        Ok(PriorityQueueLayer::with_parts(
            limiter,
            self.ticketing,
            self.hold,
        ))
    }

    fn asking<U>(self, change: impl FnOnce(T) -> U) -> PriorityQueueBuilder<U, H> {
        PriorityQueueBuilder {
            settings: self.settings,
            ticketing: change(self.ticketing),
            hold: self.hold,
        }
    }

    fn holding<N>(self, hold: N) -> PriorityQueueBuilder<T, N> {
        PriorityQueueBuilder {
            settings: self.settings,
            ticketing: self.ticketing,
            hold,
        }
    }
}

impl<T, H> fmt::Debug for PriorityQueueBuilder<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueueBuilder")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
