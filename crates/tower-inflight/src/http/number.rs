use http::{HeaderMap, HeaderName};

/// The whole numbers among the values of a header.
pub(super) fn numbers(headers: &HeaderMap, name: &HeaderName) -> impl Iterator<Item = i128> {
    let values = headers.get_all(name).iter();
    values.filter_map(|value| value.to_str().ok()?.trim().parse().ok())
}
