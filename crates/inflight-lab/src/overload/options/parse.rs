//! Reads one option each, so that what is out of range never gets further.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use tower_inflight::ConfigError;

use crate::range;

pub(crate) fn seed(text: &str) -> Result<u64, ConfigError> {
    within("seed", 0..=u64::MAX, "", text)
}

pub(crate) fn limit(text: &str) -> Result<usize, ConfigError> {
    within("limit", 1..=MAX_LIMIT, "", text)
}

pub(crate) fn queue(text: &str) -> Result<usize, ConfigError> {
    within("queue", 0..=1_000_000, "", text)
}

pub(crate) fn rate(text: &str) -> Result<f64, ConfigError> {
    // A client keeps one connection for each request it still waits for, so
    // much more than this would measure the limit on open files.
    within("rate", 1.0..=1000.0, " requests a second", text)
}

pub(crate) fn rows(text: &str) -> Result<u32, ConfigError> {
    within("rows", 1000..=10_000_000, "", text)
}

pub(crate) fn queue_timeout(text: &str) -> Result<Duration, ConfigError> {
    time("queue_timeout", 1, MAX_QUEUE_TIMEOUT, text)
}

pub(crate) fn deadline(text: &str) -> Result<Duration, ConfigError> {
    time("deadline", 1, 60_000, text)
}

pub(crate) fn phase(text: &str) -> Result<Duration, ConfigError> {
    time("phase", 50, 60_000, text)
}

fn within<T>(
    property: &'static str,
    range: RangeInclusive<T>,
    unit: &str,
    text: &str,
) -> Result<T, ConfigError>
where
    T: Display + FromStr + PartialOrd,
{
    range::within((OPTIONS, property), range, unit, text)
}

/// Reads a time of `least` to `greatest` milliseconds, with its unit.
fn time(
    property: &'static str,
    least: u64,
    greatest: u64,
    text: &str,
) -> Result<Duration, ConfigError> {
    let (least, greatest) = (
        Duration::from_millis(least),
        Duration::from_millis(greatest),
    );
    match duration(text) {
        Some(value) if (least..=greatest).contains(&value) => Ok(value),
        _ => {
            let requirement = format!("must be between {least:?} and {greatest:?}, with its unit");
            Err(refused(property, requirement, text))
        }
    }
}

fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let seconds = number.parse::<f64>().ok()? * unit;
    Duration::try_from_secs_f64(seconds).ok()
}

fn refused(property: &'static str, requirement: String, text: &str) -> ConfigError {
    ConfigError::new(OPTIONS, property, requirement, text)
}

/// What a refusal calls the options.
const OPTIONS: &str = "OverloadOptions";

/// The greatest limit of the layers.
const MAX_LIMIT: usize = i32::MAX as usize;

/// The longest queue timeout of the layers, in milliseconds.
const MAX_QUEUE_TIMEOUT: u64 = 4_294_967_294;
