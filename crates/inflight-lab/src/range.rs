use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use tower_inflight::ConfigError;

/// Reads a number from the command line, so that one that is out of `range`
/// never gets further; `name` is the type that holds it and its field.
pub(crate) fn within<T>(
    name: (&'static str, &'static str),
    range: RangeInclusive<T>,
    unit: &str,
    text: &str,
) -> Result<T, ConfigError>
where
    T: Display + FromStr + PartialOrd,
{
    match text.parse() {
        Ok(value) if range.contains(&value) => Ok(value),
        _ => {
            let (options, property) = name;
            let (least, greatest) = range.into_inner();
            let requirement = format!("must be between {least} and {greatest}{unit}");
            Err(ConfigError::new(options, property, requirement, text))
        }
    }
}
