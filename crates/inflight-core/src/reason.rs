use std::fmt;

/// Why a call was refused.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Reason {
    /// The gate was closed.
    Closed,
    /// A keyed gate: the key has no room, and the call was not to wait or has
    /// no line to wait in.
    KeyLimit,
    /// A keyed gate: no place left in the key's line.
    KeyQueueFull,
    /// No room, and no line to wait in: none is configured, or the call was
    /// not to wait.
    LimitReached,
    /// It waited, the line was full, and a call of a strictly higher priority
    /// took its place.
    QueueEvicted,
    /// No room, and no place left in the line.
    QueueFull,
    /// It waited as long as it was allowed to.
    QueueTimeout,
    /// It weighs more than the limit can ever become.
    TooHeavy,
    /// A keyed gate: it keeps as many keys as it may, and this is another.
    TooManyKeys,
    /// A keyed gate: the key has room but the total has none, and the call was
    /// not to wait or has no line to wait in.
    TotalLimit,
    /// A keyed gate: no place left in the line of all keys together.
    TotalQueueFull,
}

impl Reason {
    /// The stable name: the variant in snake case, such as `queue_full`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::KeyLimit => "key_limit",
            Self::KeyQueueFull => "key_queue_full",
            Self::LimitReached => "limit_reached",
            Self::QueueEvicted => "queue_evicted",
            Self::QueueFull => "queue_full",
            Self::QueueTimeout => "queue_timeout",
            Self::TooHeavy => "too_heavy",
            Self::TooManyKeys => "too_many_keys",
            Self::TotalLimit => "total_limit",
            Self::TotalQueueFull => "total_queue_full",
        }
    }

    const ALL: [Self; 11] = [
        Self::Closed,
        Self::KeyLimit,
        Self::KeyQueueFull,
        Self::LimitReached,
        Self::QueueEvicted,
        Self::QueueFull,
        Self::QueueTimeout,
        Self::TooHeavy,
        Self::TooManyKeys,
        Self::TotalLimit,
        Self::TotalQueueFull,
    ];

    /// The reason that `self as u64` came from.
    pub(crate) const fn from_code(code: u64) -> Self {
        Self::ALL[(code & CODE) as usize]
    }
}

/// Where a code stands in a word that also says other things.
pub(crate) const CODE: u64 = 15;

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_survives_its_code() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_code(reason as u64), reason);
        }
    }
}
