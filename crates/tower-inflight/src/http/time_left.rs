use std::time::Duration;

use http::{HeaderName, Request};

use super::Deadline;
use super::number::numbers;
use super::values::values;

/// Reads how long the caller will wait from a header that counts in `unit`s.
///
/// It is meant for `.max_wait(..)`, so that no call is admitted after its
/// caller has given up. A client can only shorten its wait by it: the queue
/// timeout of the limiter counts all the same.
///
/// ```
/// use std::time::Duration;
///
/// use http::Request;
/// use tower_inflight::http::time_left_from_header;
///
/// let time_left = time_left_from_header("x-timeout-ms", Duration::from_millis(1));
///
/// let request = Request::get("/").header("x-timeout-ms", "1500").body(()).unwrap();
/// assert_eq!(time_left(&request), Some(Duration::from_millis(1_500)));
/// assert_eq!(time_left(&Request::new(())), None);
/// ```
///
/// # Panics
///
/// If `name` is not a header's name in lower case.
#[track_caller]
pub fn time_left_from_header<B>(
    name: &'static str,
    unit: Duration,
) -> impl Fn(&Request<B>) -> Option<Duration> + Clone + 'static {
    let name = HeaderName::from_static(name);
    move |request| {
        let units = numbers(request.headers(), &name).min()?;
        Some(times(unit, units))
    }
}

/// Reads how long the caller will wait from gRPC's own header, `grpc-timeout`.
///
/// It is the reader itself: `.max_wait(time_left_from_grpc_timeout)`.
///
/// ```
/// use std::time::Duration;
///
/// use http::Request;
/// use tower_inflight::http::time_left_from_grpc_timeout;
///
/// let request = Request::post("/").header("grpc-timeout", "250m").body(()).unwrap();
/// assert_eq!(time_left_from_grpc_timeout(&request), Some(Duration::from_millis(250)));
/// ```
pub fn time_left_from_grpc_timeout<B>(request: &Request<B>) -> Option<Duration> {
    let values = values(request.headers(), "grpc-timeout");
    values.filter_map(grpc_timeout).min()
}

/// Reads how long the caller will wait from a [`Deadline`] in the extensions.
///
/// It is the reader itself: `.max_wait(time_left_from_extension)`.
///
/// ```
/// use std::time::Duration;
///
/// use http::Request;
/// use tower_inflight::http::{Deadline, time_left_from_extension};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let mut request = Request::new(());
/// request.extensions_mut().insert(Deadline::after(Duration::from_secs(2)).unwrap());
///
/// tokio::time::advance(Duration::from_millis(500)).await;
/// assert_eq!(time_left_from_extension(&request), Some(Duration::from_millis(1_500)));
/// # }
/// ```
pub fn time_left_from_extension<B>(request: &Request<B>) -> Option<Duration> {
    let deadline: &Deadline = request.extensions().get()?;
    Some(deadline.time_left())
}

/// Less than nothing is nothing, and too much is the most there is.
fn times(unit: Duration, units: i128) -> Duration {
    let Ok(units) = u128::try_from(units) else {
        return Duration::ZERO;
    };
    let nanos = unit.as_nanos().saturating_mul(units);
    u64::try_from(nanos).map_or(Duration::MAX, Duration::from_nanos)
}

/// At most eight digits and a letter, as the protocol has it.
fn grpc_timeout(value: &str) -> Option<Duration> {
    let (digits, unit) = value.split_at_checked(value.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let unit = match unit {
        "H" => Duration::from_secs(60 * 60),
        "M" => Duration::from_secs(60),
        "S" => Duration::from_secs(1),
        "m" => Duration::from_millis(1),
        "u" => Duration::from_micros(1),
        "n" => Duration::from_nanos(1),
        _ => return None,
    };
    Some(unit * digits.parse::<u32>().ok()?)
}
