use std::time::Duration;

use tokio::time::Instant;

/// The moment after which nobody waits for the answer any more.
///
/// Put it into the extensions of a request as early as you know it. It shrinks
/// as the request goes through queues and layers, and what is left of it is the
/// longest that a limiter lets the request wait; see
/// [`time_left_from_extension`](super::time_left_from_extension).
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Deadline(Instant);

impl Deadline {
    /// That moment.
    pub fn at(instant: Instant) -> Self {
        Self(instant)
    }

    /// So long from now; `None` if that is too far away to be told.
    pub fn after(time: Duration) -> Option<Self> {
        Instant::now().checked_add(time).map(Self)
    }

    /// The moment itself.
    pub fn instant(self) -> Instant {
        self.0
    }

    /// What is left; zero once it has passed.
    pub fn time_left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}
