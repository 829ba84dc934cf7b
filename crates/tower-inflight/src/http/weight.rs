use std::ops::RangeInclusive;

use http::{HeaderName, Request};

use super::number::numbers;

/// Reads the weight from a header, and moves it into `range`.
///
/// A request without the header has the least weight of the range. So the
/// range says both what nobody can go below and what nobody can take away from
/// the others; see [the page](super#what-a-client-may-say-of-itself).
///
/// ```
/// use http::Request;
/// use tower_inflight::ConcurrencyLimitLayer;
/// use tower_inflight::http::weight_from_header;
///
/// let weight = weight_from_header("x-rows-in-thousands", 1..=8);
///
/// let says = |value| Request::get("/").header("x-rows-in-thousands", value).body(()).unwrap();
/// assert_eq!(weight(&says("5")), 5);
/// assert_eq!(weight(&says("0")), 1);
/// assert_eq!(weight(&says("99999999999")), 8);
/// assert_eq!(weight(&says("many")), 1);
///
/// let layer = ConcurrencyLimitLayer::new(16).with_weight(weight);
/// # let _ = layer;
/// ```
///
/// # Panics
///
/// If `name` is not a header's name in lower case, or the range is empty.
#[track_caller]
pub fn weight_from_header<B>(
    name: &'static str,
    range: RangeInclusive<u32>,
) -> impl Fn(&Request<B>) -> u32 + Clone + 'static {
    assert!(!range.is_empty(), "the range of weights is empty");
    let name = HeaderName::from_static(name);
    let (least, greatest) = range.into_inner();
    move |request| {
        // The greatest: whoever adds a value gains nothing.
        let said = numbers(request.headers(), &name).max().unwrap_or(0);
        let inside = said.clamp(least.into(), greatest.into());
        u32::try_from(inside).expect("both ends are")
    }
}

/// Reads the weight from an extension, by `read`; 1 where there is none.
///
/// Something outside the limiter has to put it there. No client can.
///
/// ```
/// use http::Request;
/// use tower_inflight::http::weight_from_extension;
///
/// #[derive(Clone)]
/// struct Query {
///     tables: u32,
/// }
///
/// let weight = weight_from_extension(|query: &Query| query.tables);
///
/// let mut request = Request::new(());
/// assert_eq!(weight(&request), 1);
/// request.extensions_mut().insert(Query { tables: 3 });
/// assert_eq!(weight(&request), 3);
/// ```
pub fn weight_from_extension<T, B>(
    read: impl Fn(&T) -> u32 + Clone,
) -> impl Fn(&Request<B>) -> u32 + Clone
where
    T: Send + Sync + 'static,
{
    move |request| request.extensions().get().map_or(1, &read)
}
