#[cfg(feature = "metrics")]
use inflight_core::Reason;

/// Why a limiter may turn a call away, by its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reasons {
    /// One limit for all calls.
    Plain,
    /// A limit for each key, and one for all together.
    Keyed,
}

#[cfg(feature = "metrics")]
impl Reasons {
    /// A series for a reason that can never be would only be in the way.
    pub(super) fn list(self) -> &'static [Reason] {
        match self {
            Self::Plain => &[
                Reason::Closed,
                Reason::LimitReached,
                Reason::QueueEvicted,
                Reason::QueueFull,
                Reason::QueueTimeout,
                Reason::TooHeavy,
            ],
            Self::Keyed => &[
                Reason::Closed,
                Reason::KeyLimit,
                Reason::KeyQueueFull,
                Reason::QueueEvicted,
                Reason::QueueTimeout,
                Reason::TooHeavy,
                Reason::TooManyKeys,
                Reason::TotalLimit,
                Reason::TotalQueueFull,
            ],
        }
    }
}
