use std::fmt;
use std::time::Duration;

use inflight_core::{ConfigError, GateOptions, Limit};

use crate::duration::Short;

/// The line, which is the same before a fixed and before an adaptive limit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineOptions {
    pub(crate) queue_limit: usize,
    pub(crate) queue_timeout: Option<Duration>,
    pub(crate) use_priority_queue: bool,
}

impl LineOptions {
    /// A fixed gate of `limit` with this line; `options` is the type that an
    /// error names.
    pub(crate) fn validate(
        self,
        options: &'static str,
        limit: Limit,
    ) -> Result<GateOptions, ConfigError> {
        if let Some(timeout) = self.queue_timeout {
            check_timeout(options, timeout)?;
        }
        Ok(GateOptions {
            queue_limit: self.queue_limit,
            queue_timeout: self.queue_timeout,
            by_priority: self.use_priority_queue,
            // Nobody asks how long a wait took that only a close can end.
            measure_waits: false,
            ..GateOptions::new(limit)
        })
    }
}

/// To be appended to what stands before it.
impl fmt::Display for LineOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.queue_limit > 0 {
            write!(f, ", queue {}", self.queue_limit)?;
            if let Some(timeout) = self.queue_timeout {
                write!(f, "/{}", Short(timeout))?;
            }
        }
        if self.use_priority_queue {
            f.write_str(", priority queue")?;
        }
        Ok(())
    }
}

/// The limit that the option `property` of `options` asks for.
pub(crate) fn parse_limit(
    options: &'static str,
    property: &'static str,
    limit: usize,
) -> Result<Limit, ConfigError> {
    Limit::new(limit).ok_or_else(|| {
        let requirement = if limit == 0 {
            "must be positive".into()
        } else {
            format!("must be at most {}", Limit::MAX)
        };
        ConfigError::new(options, property, requirement, limit)
    })
}

pub(crate) fn check_timeout(options: &'static str, timeout: Duration) -> Result<(), ConfigError> {
    let requirement = if timeout.is_zero() {
        "must be positive".into()
    } else if timeout > MAX_QUEUE_TIMEOUT {
        format!("must be at most {MAX_QUEUE_TIMEOUT:?}")
    } else {
        return Ok(());
    };
    Err(ConfigError::new(
        options,
        "queue_timeout",
        requirement,
        format_args!("{timeout:?}"),
    ))
}

/// 49.7 days: what the reference behaviour allows, and well within what
/// tokio's timer can count.
const MAX_QUEUE_TIMEOUT: Duration = Duration::from_millis(4_294_967_294);
