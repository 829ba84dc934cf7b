use std::num::{IntErrorKind, ParseIntError};

use http::{HeaderMap, HeaderName};

use super::values::values;

/// The whole numbers among the values of a header.
pub(super) fn numbers(headers: &HeaderMap, name: &HeaderName) -> impl Iterator<Item = i128> {
    values(headers, name).filter_map(number)
}

/// One that is too long to be told is the most, or the least, that there is.
fn number(text: &str) -> Option<i128> {
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => match ParseIntError::kind(&error) {
            IntErrorKind::PosOverflow => Some(i128::MAX),
            IntErrorKind::NegOverflow => Some(i128::MIN),
            _ => None,
        },
    }
}
