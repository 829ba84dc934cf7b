use std::fmt;

use super::ConcurrencyLimitLayer;
use crate::ConfigError;
use crate::builder::{Settings, limiter_setters};

/// Builds a [`ConcurrencyLimitLayer`]; start with
/// [`ConcurrencyLimitLayer::builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct ConcurrencyLimitBuilder<W = ()> {
    settings: Settings,
    weight: W,
}

impl ConcurrencyLimitBuilder {
    pub(super) fn new() -> Self {
        Self {
            settings: Settings::default(),
            weight: (),
        }
    }
}

impl<W> ConcurrencyLimitBuilder<W> {
    limiter_setters!();

    /// Lets each request take as many units of the limit as `weight` says; by
    /// default each takes one.
    ///
    /// See [`ConcurrencyLimitLayer::with_weight`].
    pub fn weight<V>(self, weight: V) -> ConcurrencyLimitBuilder<V> {
        ConcurrencyLimitBuilder {
            settings: self.settings,
            weight,
        }
    }

    /// Builds the layer, and with it the limiter that all its services share.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build(self) -> Result<ConcurrencyLimitLayer<W>, ConfigError> {
        let limiter = self.settings.build()?;
        Ok(ConcurrencyLimitLayer::from(limiter).with_weight(self.weight))
    }
}

impl<W> fmt::Debug for ConcurrencyLimitBuilder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConcurrencyLimitBuilder")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
