use std::fmt;
use std::time::Duration;

use inflight_core::{ConfigError, GateOptions, Limit};

use super::{LineOptions, parse_limit};

/// The settings of a fixed concurrency limit.
///
/// They are copied when a limiter is built; changing them later changes
/// nothing. The builders have a setter of the same name for each.
///
/// ```
/// use std::time::Duration;
/// use tower_inflight::{ConcurrencyLimitOptions, Limiter};
///
/// let options = ConcurrencyLimitOptions {
///     queue_limit: 20,
///     queue_timeout: Some(Duration::from_millis(250)),
///     ..ConcurrencyLimitOptions::default()
/// };
/// assert_eq!(options.to_string(), "ConcurrencyLimit(10, queue 20/250ms)");
///
/// let limiter = Limiter::builder().options(options).build()?;
/// assert_eq!(limiter.options().fixed(), Some(options));
/// # Ok::<(), tower_inflight::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ConcurrencyLimitOptions {
    /// How much may run at once, in units of weight: 1 to 2<sup>31</sup> - 1,
    /// by default 10.
    ///
    /// Raise it while more still gives more throughput; beyond that it only
    /// gives latency.
    pub max_concurrency: usize,

    /// How many callers may wait, whatever their weight; by default 0, which
    /// rejects at once what does not fit.
    ///
    /// Nothing is allocated for it in advance. A longer line absorbs a longer
    /// burst; in lasting overload it only makes everybody wait.
    pub queue_limit: usize,

    /// The longest wait, the work not included; by default none. Positive, and
    /// at most 4,294,967,294 ms.
    ///
    /// Without a `queue_limit` it has no effect, and no timer is ever made.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::configuration::queue_timeout")
    )]
    pub queue_timeout: Option<Duration>,

    /// Whether the line goes by priority, and a full line gives up its lowest
    /// for a higher arrival; by default it is first come, first served.
    pub use_priority_queue: bool,
}

impl ConcurrencyLimitOptions {
    pub(crate) fn validate(&self) -> Result<GateOptions, ConfigError> {
        let limit = parse_max_concurrency(self.max_concurrency)?;
        self.line().validate(TYPE, limit)
    }

    pub(super) fn line(&self) -> LineOptions {
        LineOptions {
            queue_limit: self.queue_limit,
            queue_timeout: self.queue_timeout,
            use_priority_queue: self.use_priority_queue,
        }
    }
}

impl Default for ConcurrencyLimitOptions {
    fn default() -> Self {
        Self {
            max_concurrency: 10,
            queue_limit: 0,
            queue_timeout: None,
            use_priority_queue: false,
        }
    }
}

impl fmt::Display for ConcurrencyLimitOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ConcurrencyLimit({}{})",
            self.max_concurrency,
            self.line()
        )
    }
}

/// The limit that `max_concurrency` asks for.
pub(crate) fn parse_max_concurrency(max_concurrency: usize) -> Result<Limit, ConfigError> {
    parse_limit(TYPE, "max_concurrency", max_concurrency)
}

/// Why the limit of an adaptive limiter cannot be set.
pub(crate) fn limit_is_adaptive(max_concurrency: usize) -> ConfigError {
    let requirement = "must be left to the algorithm of an adaptive limiter";
    ConfigError::new(TYPE, "max_concurrency", requirement, max_concurrency)
}

const TYPE: &str = "ConcurrencyLimitOptions";
