use std::fmt;

use super::ConcurrencyLimitLayer;
use crate::ConfigError;
use crate::builder::{Settings, call_setters, limiter_setters};
use crate::hold::UntilResponse;

/// Builds a [`ConcurrencyLimitLayer`]; start with
/// [`ConcurrencyLimitLayer::builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct ConcurrencyLimitBuilder<T = (), H = UntilResponse> {
    settings: Settings,
    ticketing: T,
    hold: H,
}

impl ConcurrencyLimitBuilder {
    pub(super) fn new() -> Self {
        Self {
            settings: Settings::default(),
            ticketing: (),
            hold: UntilResponse,
        }
    }
}

impl<T, H> ConcurrencyLimitBuilder<T, H> {
    limiter_setters!();

    call_setters!(ConcurrencyLimitBuilder<>: weight, max_wait, exempt, hold);

    /// Builds the layer, and with it the limiter that all its services share.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build(self) -> Result<ConcurrencyLimitLayer<T, H>, ConfigError> {
        let limiter = self.settings.build()?;
        Ok(ConcurrencyLimitLayer::with_parts(
            limiter,
            self.ticketing,
            self.hold,
        ))
    }

    fn asking<U>(self, change: impl FnOnce(T) -> U) -> ConcurrencyLimitBuilder<U, H> {
        ConcurrencyLimitBuilder {
            settings: self.settings,
            ticketing: change(self.ticketing),
            hold: self.hold,
        }
    }

    fn holding<N>(self, hold: N) -> ConcurrencyLimitBuilder<T, N> {
        ConcurrencyLimitBuilder {
            settings: self.settings,
            ticketing: self.ticketing,
            hold,
        }
    }
}

impl<T, H> fmt::Debug for ConcurrencyLimitBuilder<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConcurrencyLimitBuilder")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
