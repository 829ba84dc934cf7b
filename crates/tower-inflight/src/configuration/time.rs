use std::fmt;
use std::time::Duration;

use serde::de::{Deserializer, Error, Visitor};

/// Reads the `queue_timeout` of any options.
pub(crate) fn queue_timeout<'de, D>(deserializer: D) -> Result<Option<Duration>, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_option(Time("queue_timeout"))
}

/// Reads the `sampling_window` of an adaptive limit.
pub(crate) fn sampling_window<'de, D>(deserializer: D) -> Result<Option<Duration>, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_option(Time("sampling_window"))
}

/// A time as text, or nothing; it knows its key, which most formats do not
/// tell in their errors.
struct Time(&'static str);

impl<'de> Visitor<'de> for Time {
    type Value = Option<Duration>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} such as \"250ms\"", self.0)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        match humantime::parse_duration(text) {
            Ok(time) => Ok(Some(time)),
            Err(_) => Err(E::custom(format_args!(
                "{} must be a time such as `250ms` (was `{text}`)",
                self.0
            ))),
        }
    }
}
