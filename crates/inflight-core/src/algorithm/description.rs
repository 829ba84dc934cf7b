use std::time::Duration;

use crate::Limit;

/// How an algorithm introduces itself, to the gate that it drives and to
/// whoever shows it.
///
/// ```
/// use inflight_core::{Description, Limit};
///
/// let max = Limit::new(50).expect("in range");
/// let timid = Description::new("timid").with_bounds(Limit::ONE, max);
/// assert_eq!((timid.name, timid.max_limit.get()), ("timid", 50));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Description {
    /// What it is called.
    pub name: &'static str,
    /// The least that its limit becomes.
    pub min_limit: Limit,
    /// The most that its limit becomes. Work that is heavier can never run.
    pub max_limit: Limit,
    /// How often it decides at most, if it decides in windows.
    pub sampling_window: Option<Duration>,
}

impl Description {
    /// An algorithm that is called `name`, may choose any limit, and knows no
    /// windows.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            min_limit: Limit::ONE,
            max_limit: Limit::MAX,
            sampling_window: None,
        }
    }

    /// With a limit between `min_limit` and `max_limit`.
    #[must_use = "it returns a description and changes none"]
    pub const fn with_bounds(self, min_limit: Limit, max_limit: Limit) -> Self {
        Self {
            min_limit,
            max_limit,
            ..self
        }
    }

    /// With decisions no more often than every `sampling_window`.
    #[must_use = "it returns a description and changes none"]
    pub const fn with_window(self, sampling_window: Duration) -> Self {
        Self {
            sampling_window: Some(sampling_window),
            ..self
        }
    }
}
