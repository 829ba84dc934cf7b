use http::HeaderMap;
use http::header::AsHeaderName;

/// The values of a header, be they in lines of their own or joined into one by
/// commas, as a proxy may do. What is no text is left out.
pub(super) fn values(headers: &HeaderMap, name: impl AsHeaderName) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(name).iter();
    let values = lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b','));
    values.filter_map(|value| Some(std::str::from_utf8(value).ok()?.trim()))
}
