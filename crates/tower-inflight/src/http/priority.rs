use std::ops::RangeInclusive;

use http::{HeaderName, Request};

use super::number::numbers;

/// Reads the priority from a header, and moves it into `range`.
///
/// A request without the header counts as one that says 0, and so is moved
/// into the range, too. Let the range end at 0 unless you trust whoever sets
/// the header; see [the page](super#what-a-client-may-say-of-itself).
///
/// ```
/// use http::Request;
/// use tower_inflight::PriorityQueueLayer;
/// use tower_inflight::http::priority_from_header;
///
/// // A client may go behind the others, and no further than this.
/// let priority = priority_from_header("x-priority", -10..=0);
///
/// let says = |value| Request::get("/").header("x-priority", value).body(()).unwrap();
/// assert_eq!(priority(&says("-3")), -3);
/// assert_eq!(priority(&says("-99")), -10);
/// assert_eq!(priority(&says("99")), 0);
/// assert_eq!(priority(&says("high")), 0);
///
/// let layer = PriorityQueueLayer::new(10, 20, priority);
/// # let _ = layer;
/// ```
///
/// # Panics
///
/// If `name` is not a header's name in lower case, or the range is empty.
#[track_caller]
pub fn priority_from_header<B>(
    name: &'static str,
    range: RangeInclusive<i32>,
) -> impl Fn(&Request<B>) -> i32 + Clone + 'static {
    assert!(!range.is_empty(), "the range of priorities is empty");
    let name = HeaderName::from_static(name);
    let (lowest, highest) = range.into_inner();
    move |request| {
        // The lowest: whoever adds a value gains nothing.
        let said = numbers(request.headers(), &name).min().unwrap_or(0);
        let inside = said.clamp(lowest.into(), highest.into());
        i32::try_from(inside).expect("both ends are")
    }
}

/// Reads the priority from an extension, by `read`; 0 where there is none.
///
/// Something outside the limiter has to put it there, a layer that knows who
/// is signed in, say. No client can.
///
/// ```
/// use http::Request;
/// use tower_inflight::http::priority_from_extension;
///
/// #[derive(Clone)]
/// struct Account {
///     pays: bool,
/// }
///
/// let priority = priority_from_extension(|account: &Account| i32::from(account.pays));
///
/// let mut request = Request::new(());
/// assert_eq!(priority(&request), 0);
/// request.extensions_mut().insert(Account { pays: true });
/// assert_eq!(priority(&request), 1);
/// ```
pub fn priority_from_extension<T, B>(
    read: impl Fn(&T) -> i32 + Clone,
) -> impl Fn(&Request<B>) -> i32 + Clone
where
    T: Send + Sync + 'static,
{
    move |request| request.extensions().get().map_or(0, &read)
}
