use crate::builder::{Settings, limiter_setters};
use crate::{ConfigError, Limiter};

/// Builds a [`Limiter`]; start with [`Limiter::builder`].
#[derive(Debug, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct LimiterBuilder {
    pub(super) settings: Settings,
}

impl LimiterBuilder {
    limiter_setters!();

    /// Lets the line go by the priority of the [`Ticket`](crate::Ticket)s,
    /// and a higher arrival evict the newest of the lowest from a full line;
    /// by default it is first come, first served.
    pub fn use_priority_queue(mut self, use_priority_queue: bool) -> Self {
        self.settings.options.use_priority_queue = use_priority_queue;
        self
    }

    /// Builds the limiter.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build(self) -> Result<Limiter, ConfigError> {
        self.settings.build()
    }
}
