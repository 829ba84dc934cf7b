use std::time::Duration;

use tokio::time::Instant;

/// tokio's clock, counted in nanoseconds from the moment a limiter was built.
#[derive(Clone, Copy, Debug)]
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct Clock(Moment);

/// A reading of tokio's clock that is not counted yet: to keep one is cheaper
/// than to count it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Moment::now())
    }

    pub(crate) fn now(self) -> u64 {
        self.at(Moment::now())
    }

    #[inline]
    pub(crate) fn at(self, moment: Moment) -> u64 {
        moment.nanos_since(self.0)
    }

    /// The moment that reads `nanos`, unless it is too far away to be said.
    pub(crate) fn instant(self, nanos: u64) -> Option<Instant> {
        self.0.0.checked_add(Duration::from_nanos(nanos))
    }

    /// How long it is until it reads `nanos`.
    pub(crate) fn until(self, nanos: u64) -> Duration {
        Duration::from_nanos(nanos.saturating_sub(self.now()))
    }
}

impl Moment {
    #[inline]
    pub(crate) fn now() -> Self {
        Self(Instant::now())
    }

    /// How long after `earlier` it was; none if the clock went backwards.
    #[inline]
    pub(crate) fn nanos_since(self, earlier: Self) -> u64 {
        // The same as between tokio's instants, but one call less.
        let elapsed = self
            .0
            .into_std()
            .saturating_duration_since(earlier.0.into_std());
        // In 64 bits, which every call under an adaptive limit feels; the
        // largest number stands for all that do not fit.
        elapsed
            .as_secs()
            .saturating_mul(NANOS_PER_SEC)
            .saturating_add(elapsed.subsec_nanos().into())
    }
}

const NANOS_PER_SEC: u64 = 1_000_000_000;

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
