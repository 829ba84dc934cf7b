//! How numbers and times are written.

use std::time::Duration;

use crate::overload::contender::Contender;
use crate::overload::record::Record;

/// `97 %`, or a dash where there is nothing to have a share of.
pub(crate) fn percent(share: impl Into<Option<f64>>) -> String {
    let share = share.into();
    share.map_or_else(dash, |share| format!("{:.0} %", share * 100.0))
}

/// Milliseconds: whole ones from ten on.
pub(crate) fn milliseconds(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| match value {
        value if value < 10.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    })
}

/// `250 ms`, or seconds from ten of them on.
pub(crate) fn time(duration: Duration) -> String {
    match duration.as_millis() {
        milliseconds @ ..10_000 => format!("{milliseconds} ms"),
        _ => format!("{:.0} s", duration.as_secs_f64()),
    }
}

/// `312 queue_full, 4 queue_timeout`, or a dash.
pub(crate) fn rejected(record: &Record, separator: &str) -> String {
    if record.rejected.is_empty() {
        return dash();
    }
    let counts = record
        .rejected
        .iter()
        .map(|(reason, count)| format!("{count} {reason}"));
    counts.collect::<Vec<_>>().join(separator)
}

/// `4`, or `2–11` if it moved, or a dash where there is none of ours.
pub(crate) fn limit(record: &Record) -> String {
    record.limit.as_ref().map_or_else(dash, |limit| {
        let (least, greatest) = (limit.start(), limit.end());
        if least == greatest {
            least.to_string()
        } else {
            format!("{least}–{greatest}")
        }
    })
}

/// The contender as the name of a style: `stock-limit`.
pub(crate) fn identifier(contender: Contender) -> String {
    let words = contender.name().split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

/// `text` with nothing in it that HTML would take for markup.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn dash() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_what_is_not_there_is_a_dash() {
        assert_eq!(percent(0.974), "97 %");
        assert_eq!(percent(None), "–");
        assert_eq!(milliseconds(Some(9.87)), "9.9");
        assert_eq!(milliseconds(Some(98.7)), "99");
        assert_eq!(milliseconds(None), "–");
        assert_eq!(time(Duration::from_millis(250)), "250 ms");
        assert_eq!(time(Duration::from_mins(1)), "60 s");
    }
}
