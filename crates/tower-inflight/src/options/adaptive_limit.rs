use std::fmt;
use std::time::Duration;

use inflight_core::{AimdOptions, ConfigError, Description, GateOptions, Limit};

use super::LineOptions;
use crate::duration::Short;

/// The settings that an adaptive limiter was built with, to be read.
///
/// They do not change; what the limiter has learnt since is
/// [`Limiter::adaptation`](crate::Limiter::adaptation).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveLimitOptions {
    /// The algorithm's name and bounds.
    pub algorithm: Description,

    /// The limit at the start.
    pub initial_limit: usize,

    /// All settings of the algorithm, if it was built by
    /// [`AdaptiveAimdLayer`](crate::AdaptiveAimdLayer).
    pub aimd: Option<AimdOptions>,

    /// Whether it only decides and reports.
    pub monitor_only: bool,

    /// How many callers may wait.
    pub queue_limit: usize,

    /// The longest wait.
    pub queue_timeout: Option<Duration>,

    /// Whether the line goes by priority.
    pub use_priority_queue: bool,
}

impl AdaptiveLimitOptions {
    pub(crate) fn new(algorithm: Description, initial_limit: Limit, line: LineOptions) -> Self {
        Self {
            algorithm,
            initial_limit: initial_limit.get(),
            aimd: None,
            monitor_only: false,
            queue_limit: line.queue_limit,
            queue_timeout: line.queue_timeout,
            use_priority_queue: line.use_priority_queue,
        }
    }

    /// The gate at its start; where nothing is enforced it never closes.
    pub(crate) fn validate(&self, initial_limit: Limit) -> Result<GateOptions, ConfigError> {
        let max_limit = self.algorithm.max_limit;
        let (limit, max_limit) = if self.monitor_only {
            (Limit::MAX, None)
        } else {
            (initial_limit.min(max_limit), Some(max_limit))
        };
        let gate = self.line().validate("AdaptiveLimitOptions", limit)?;
        Ok(GateOptions { max_limit, ..gate })
    }

    fn line(&self) -> LineOptions {
        LineOptions {
            queue_limit: self.queue_limit,
            queue_timeout: self.queue_timeout,
            use_priority_queue: self.use_priority_queue,
        }
    }
}

impl fmt::Display for AdaptiveLimitOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Description {
            name,
            min_limit,
            max_limit,
            sampling_window,
            ..
        } = self.algorithm;
        write!(f, "AdaptiveConcurrencyLimit({name}")?;
        write!(f, ", initial {}", self.initial_limit)?;
        write!(f, ", min {min_limit}, max {max_limit}")?;
        if let Some(window) = sampling_window {
            write!(f, ", window {}", Short(window))?;
        }
        if self.monitor_only {
            f.write_str(", monitor only")?;
        }
        write!(f, "{})", self.line())
    }
}
