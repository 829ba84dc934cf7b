use std::fmt;

/// Why a call was refused.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Reason {
    /// The gate was closed.
    Closed,
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
}

impl Reason {
    /// The stable name: `closed`, `limit_reached`, `queue_evicted`,
    /// `queue_full`, `queue_timeout` or `too_heavy`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::LimitReached => "limit_reached",
            Self::QueueEvicted => "queue_evicted",
            Self::QueueFull => "queue_full",
            Self::QueueTimeout => "queue_timeout",
            Self::TooHeavy => "too_heavy",
        }
    }

    const ALL: [Self; 6] = [
        Self::Closed,
        Self::LimitReached,
        Self::QueueEvicted,
        Self::QueueFull,
        Self::QueueTimeout,
        Self::TooHeavy,
    ];

    /// The reason that `self as u64` came from.
    pub(crate) const fn from_code(code: u64) -> Self {
        Self::ALL[(code & 7) as usize]
    }
}

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
