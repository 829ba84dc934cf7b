use std::time::Duration;

use inflight_core::AimdOptions;

use super::LineOptions;

/// All the settings of an [`AdaptiveAimdLayer`](crate::AdaptiveAimdLayer) that
/// are values: those of the rule and those of the line.
///
/// They are copied when a limiter is built. The builder takes them whole, with
/// `From`, and has a setter of the same name for each.
///
/// ```
/// use tower_inflight::builder::AdaptiveAimdBuilder;
/// use tower_inflight::{AdaptiveAimdOptions, AimdOptions};
///
/// let options = AdaptiveAimdOptions {
///     queue_limit: 20,
///     ..AdaptiveAimdOptions::from(AimdOptions::guarded())
/// };
/// let layer = AdaptiveAimdBuilder::from(options).name("search").build()?;
/// assert_eq!(
///     layer.to_string(),
///     "AdaptiveConcurrencyLimit(AIMD, initial 10, min 1, max 100, window 200ms, queue 20)",
/// );
/// # Ok::<(), tower_inflight::ConfigError>(())
/// ```
///
/// # In a file
///
/// With the feature `serde` it can be deserialized, from one table with all
/// the keys. `preset = "guarded"` takes what is missing from
/// [`AimdOptions::guarded`] instead of the plain rule; what that preset turns
/// on, a file can set otherwise, but not turn off. `growth` is `"half_used"` or
/// `"bound"`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(from = "crate::configuration::AimdKeys")
)]
pub struct AdaptiveAimdOptions {
    /// The settings of the rule that moves the limit, its guards included.
    pub rule: AimdOptions,

    /// How many callers may wait, whatever their weight; by default 0, which
    /// rejects at once what does not fit.
    pub queue_limit: usize,

    /// The longest wait, the work not included; by default none. Positive, and
    /// at most 4,294,967,294 ms.
    pub queue_timeout: Option<Duration>,

    /// Whether the line goes by priority; by default it is first come, first
    /// served. A builder that is given a priority turns it on.
    pub use_priority_queue: bool,
}

impl AdaptiveAimdOptions {
    pub(crate) fn line(&self) -> LineOptions {
        LineOptions {
            queue_limit: self.queue_limit,
            queue_timeout: self.queue_timeout,
            use_priority_queue: self.use_priority_queue,
        }
    }
}

/// The rule without a line.
impl From<AimdOptions> for AdaptiveAimdOptions {
    fn from(rule: AimdOptions) -> Self {
        Self {
            rule,
            ..Self::default()
        }
    }
}
