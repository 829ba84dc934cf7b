use std::fmt;

use super::{AdaptiveLimitOptions, ConcurrencyLimitOptions};

/// The settings that a limiter was built with.
///
/// ```
/// use tower_inflight::{AdaptiveAimdLayer, Limiter};
///
/// let fixed = Limiter::queued(10, 20).options();
/// assert_eq!(fixed.fixed().unwrap().queue_limit, 20);
///
/// let adaptive = AdaptiveAimdLayer::new().limiter().options();
/// assert_eq!(adaptive.adaptive().unwrap().initial_limit, 10);
/// assert_eq!(adaptive.fixed(), None);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LimiterOptions {
    /// Of a limit that an algorithm moves.
    Adaptive(AdaptiveLimitOptions),
    /// Of a limit that stays as it is set.
    Fixed(ConcurrencyLimitOptions),
}

impl LimiterOptions {
    /// Those of a fixed limit.
    pub fn fixed(self) -> Option<ConcurrencyLimitOptions> {
        match self {
            Self::Fixed(options) => Some(options),
            Self::Adaptive(_) => None,
        }
    }

    /// Those of an adaptive limit.
    pub fn adaptive(self) -> Option<AdaptiveLimitOptions> {
        match self {
            Self::Adaptive(options) => Some(options),
            Self::Fixed(_) => None,
        }
    }
}

impl fmt::Display for LimiterOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adaptive(options) => options.fmt(f),
            Self::Fixed(options) => options.fmt(f),
        }
    }
}
