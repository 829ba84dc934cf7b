use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// A setting that cannot be used: which, what it must be, and what it was.
///
/// ```
/// use inflight_core::ConfigError;
///
/// let error = ConfigError::new("Options", "max_concurrency", "must be positive", 0);
/// assert_eq!(error.to_string(), "Options.max_concurrency must be positive (was 0)");
/// assert_eq!(error.property(), "max_concurrency");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConfigError {
    options: &'static str,
    property: &'static str,
    requirement: Cow<'static, str>,
    value: String,
}

impl ConfigError {
    /// An error about `options.property`, which `requirement` but was `value`.
    pub fn new(
        options: &'static str,
        property: &'static str,
        requirement: impl Into<Cow<'static, str>>,
        value: impl fmt::Display,
    ) -> Self {
        Self {
            options,
            property,
            requirement: requirement.into(),
            value: value.to_string(),
        }
    }

    /// The type of the options.
    pub fn options(&self) -> &'static str {
        self.options
    }

    /// The option.
    pub fn property(&self) -> &'static str {
        self.property
    }

    /// What it must be, beginning with "must".
    pub fn requirement(&self) -> &str {
        &self.requirement
    }

    /// What it was.
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            options,
            property,
            requirement,
            value,
        } = self;
        write!(f, "{options}.{property} {requirement} (was {value})")
    }
}

impl Error for ConfigError {}
