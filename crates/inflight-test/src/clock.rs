use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that moves only when it is told to, backwards too.
///
/// Clones show the same time. It counts nanoseconds from zero, and stops at
/// either end of a `u64` instead of wrapping.
///
/// ```
/// use std::time::Duration;
///
/// use inflight_test::ManualClock;
///
/// let clock = ManualClock::new();
/// clock.advance(Duration::from_micros(3));
/// clock.rewind(Duration::from_micros(1));
/// assert_eq!(clock.now(), 2_000);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManualClock {
    // The order in which threads see the time is not part of any promise, so
    // `Relaxed` is enough throughout.
    nanoseconds: Arc<AtomicU64>,
}

impl ManualClock {
    /// Starts a clock at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the time forward.
    pub fn advance(&self, by: Duration) {
        self.update(|now| now.saturating_add(nanoseconds(by)));
    }

    /// Moves the time backwards, as a clock of the operating system may.
    pub fn rewind(&self, by: Duration) {
        self.update(|now| now.saturating_sub(nanoseconds(by)));
    }

    /// Sets the time, in nanoseconds.
    pub fn set(&self, now: u64) {
        self.nanoseconds.store(now, Ordering::Relaxed);
    }

    /// The time, in nanoseconds.
    pub fn now(&self) -> u64 {
        self.nanoseconds.load(Ordering::Relaxed)
    }

    fn update(&self, step: impl Fn(u64) -> u64) {
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        self.nanoseconds
            .fetch_update(set, fetch, |now| Some(step(now)))
            .expect("the step always gives a time");
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_show_the_same_time() {
        let clock = ManualClock::new();
        let clone = clock.clone();
        clock.advance(Duration::from_secs(1));
        assert_eq!(clone.now(), 1_000_000_000);
        clone.set(5);
        assert_eq!(clock.now(), 5);
    }

    #[test]
    fn the_ends_of_time_hold() {
        let clock = ManualClock::new();
        clock.rewind(Duration::from_nanos(1));
        assert_eq!(clock.now(), 0);
        clock.advance(Duration::MAX);
        clock.advance(Duration::from_nanos(1));
        assert_eq!(clock.now(), u64::MAX);
    }
}
