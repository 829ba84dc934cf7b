use std::fmt;
use std::time::Duration;

/// A duration for people: `250ms`, `1.5s`, `2m`, `24h`.
///
/// The unit is the largest that the duration fills at least once, hours at
/// most and milliseconds at least; one decimal, half to even, none if it is 0.
pub(crate) struct Short(pub(crate) Duration);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        let (unit, name) = match nanos {
            ..SECOND => (MILLISECOND, "ms"),
            SECOND..MINUTE => (SECOND, "s"),
            MINUTE..HOUR => (MINUTE, "m"),
            HOUR.. => (HOUR, "h"),
        };
        let tenths = divide_half_to_even(nanos * 10, unit);
        match (tenths / 10, tenths % 10) {
            (whole, 0) => write!(f, "{whole}{name}"),
            (whole, tenth) => write!(f, "{whole}.{tenth}{name}"),
        }
    }
}

fn divide_half_to_even(dividend: u128, divisor: u128) -> u128 {
    let quotient = dividend / divisor;
    let twice = dividend % divisor * 2;
    let up = twice > divisor || (twice == divisor && quotient % 2 == 1);
    quotient + u128::from(up)
}

const MILLISECOND: u128 = 1_000_000;
const SECOND: u128 = 1_000 * MILLISECOND;
const MINUTE: u128 = 60 * SECOND;
const HOUR: u128 = 60 * MINUTE;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shows(duration: Duration, text: &str) {
        assert_eq!(Short(duration).to_string(), text);
    }

    #[test]
    fn the_unit_follows_the_size() {
        shows(Duration::ZERO, "0ms");
        shows(Duration::from_millis(250), "250ms");
        shows(Duration::from_millis(999), "999ms");
        shows(Duration::from_secs(1), "1s");
        shows(Duration::from_secs(59), "59s");
        shows(Duration::from_secs(60), "1m");
        shows(Duration::from_secs(3_599), "60m");
        shows(Duration::from_secs(3_600), "1h");
        shows(Duration::from_millis(4_294_967_294), "1193h");
        shows(Duration::MAX, "5124095576030431h");
    }

    #[test]
    fn one_decimal_is_kept_and_a_zero_is_not() {
        shows(Duration::from_micros(1_500), "1.5ms");
        shows(Duration::from_millis(1_500), "1.5s");
        shows(Duration::from_secs(90), "1.5m");
        shows(Duration::from_secs(5_400), "1.5h");
    }

    #[test]
    fn halves_go_to_the_even_neighbour() {
        shows(Duration::from_micros(250), "0.2ms");
        shows(Duration::from_micros(350), "0.4ms");
        shows(Duration::from_millis(1_250), "1.2s");
        shows(Duration::from_millis(1_350), "1.4s");
        shows(Duration::from_nanos(250_001), "0.3ms");
    }
}
