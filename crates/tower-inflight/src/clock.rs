use std::time::Duration;

use tokio::time::Instant;

/// tokio's clock, counted in nanoseconds from the moment a limiter was built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn now(self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// The moment that reads `nanos`, unless it is too far away to be said.
    pub(crate) fn instant(self, nanos: u64) -> Option<Instant> {
        self.0.checked_add(Duration::from_nanos(nanos))
    }

    /// How long it is until it reads `nanos`.
    pub(crate) fn until(self, nanos: u64) -> Duration {
        Duration::from_nanos(nanos.saturating_sub(self.now()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_counts_the_time_that_is_left_down_to_nothing() {
        let clock = Clock::start();
        let left = || clock.until(250_000_000);
        assert_eq!(left(), Duration::from_millis(250));
        advance(Duration::from_millis(100)).await;
        assert_eq!(left(), Duration::from_millis(150));
        advance(Duration::from_millis(200)).await;
        assert_eq!(left(), Duration::ZERO);
    }
}
