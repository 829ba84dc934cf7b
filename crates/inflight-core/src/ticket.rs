use std::fmt;
use std::time::Duration;

/// What a call asks for: its weight, its priority, the longest it will wait.
///
/// ```
/// use std::time::Duration;
/// use inflight_core::Ticket;
///
/// let ticket = Ticket::new()
///     .with_weight(3)
///     .with_priority(10)
///     .with_max_wait(Duration::from_millis(250));
/// assert_eq!(ticket.weight(), 3);
/// assert_eq!(Ticket::new().with_weight(0).weight(), 1);
/// assert_eq!(Ticket::new().max_wait(), None);
/// ```
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Ticket {
    /// The weight below bit 32, the priority above: with two whole words a
    /// ticket travels in registers, and admitting stays off the stack.
    claim: u64,
    /// [`NO_DEADLINE`] is none.
    max_wait: u64,
}

impl Ticket {
    /// Weight 1, priority 0, no bound of its own on the wait.
    pub const fn new() -> Self {
        Self {
            claim: 1,
            max_wait: NO_DEADLINE,
        }
    }

    /// How many units of the limit the call takes; 0 counts as 1.
    #[must_use]
    pub const fn with_weight(self, weight: u32) -> Self {
        let weight = if weight == 0 { 1 } else { weight };
        let claim = self.claim & !WEIGHT | weight as u64;
        Self { claim, ..self }
    }

    /// Higher goes first, the full range of `i32`; ignored where the line is
    /// first come, first served.
    #[must_use]
    pub const fn with_priority(self, priority: i32) -> Self {
        #[expect(clippy::cast_sign_loss, reason = "the bits are kept, and read back")]
        let priority = priority as u32 as u64;
        let claim = self.claim & WEIGHT | priority << 32;
        Self { claim, ..self }
    }

    /// The longest wait, from the arrival on.
    ///
    /// The smaller of this and the gate's queue timeout counts. Zero is
    /// refused as [`QueueTimeout`](crate::Reason::QueueTimeout) even where
    /// there is room; a wait of more than 584 years is none.
    #[must_use]
    pub const fn with_max_wait(self, max_wait: Duration) -> Self {
        Self {
            max_wait: nanos(max_wait),
            ..self
        }
    }

    /// How many units of the limit the call takes; never 0.
    #[inline]
    pub const fn weight(self) -> u32 {
        (self.claim & WEIGHT) as u32
    }

    /// Higher goes first.
    #[inline]
    #[expect(clippy::cast_possible_wrap, reason = "it was one")]
    pub const fn priority(self) -> i32 {
        (self.claim >> 32) as u32 as i32
    }

    /// The longest wait, from the arrival on.
    pub const fn max_wait(self) -> Option<Duration> {
        match self.max_wait {
            NO_DEADLINE => None,
            max_wait => Some(Duration::from_nanos(max_wait)),
        }
    }

    pub(crate) const fn max_wait_nanos(self) -> u64 {
        self.max_wait
    }
}

impl Default for Ticket {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket")
            .field("weight", &self.weight())
            .field("priority", &self.priority())
            .field("max_wait", &self.max_wait())
            .finish()
    }
}

/// Nanoseconds, the largest number for all that do not fit.
pub(crate) const fn nanos(duration: Duration) -> u64 {
    let nanos = duration.as_nanos();
    if nanos > u64::MAX as u128 {
        return u64::MAX;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
    {
        nanos as u64
    }
}

/// The end of time stands for "no deadline".
pub(crate) const NO_DEADLINE: u64 = u64::MAX;

const WEIGHT: u64 = u32::MAX as u64;
