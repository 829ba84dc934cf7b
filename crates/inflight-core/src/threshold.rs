use crate::sync::{AtomicU64, Ordering};

/// Up to where a full line refuses arrivals without the lock.
///
/// Where the line goes by priority it is the first rank that is not refused,
/// else the first moment at which somebody may be past a deadline.
///
/// One load of it is evidence enough. The lock's holder sees to it that
/// between two turns it is [`OPEN`](Self::OPEN) unless the line is full, and
/// otherwise what the line of that moment says; so whoever reads it sees a full
/// line as it was at some moment during the call, whatever else has changed
/// before or after. The gate's word, read apart, only gives the numbers.
pub(crate) struct Threshold(AtomicU64);

impl Threshold {
    /// Refuses nobody.
    pub(crate) const OPEN: u64 = 0;
    /// Refuses everybody, at any time.
    pub(crate) const SHUT: u64 = u64::MAX;

    /// Where `priority` stands among all priorities, from 0 on.
    #[inline]
    pub(crate) fn rank(priority: i32) -> u64 {
        (i64::from(priority) - i64::from(i32::MIN)).unsigned_abs()
    }

    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(Self::OPEN))
    }

    #[inline]
    pub(crate) fn load(&self) -> u64 {
        // Relaxed: nothing is read on the strength of it. Whoever has seen
        // the line change otherwise sees this as it was then, or later.
        self.0.load(Ordering::Relaxed)
    }

    /// The lock must be held.
    #[inline]
    pub(crate) fn store(&self, value: u64) {
        if self.load() != value {
            // Relaxed: see `load`.
            self.0.store(value, Ordering::Relaxed);
        }
    }
}
