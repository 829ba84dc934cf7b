use std::sync::atomic::{AtomicU64, Ordering};

use crate::clock::Clock;

/// Says of rejections that there are any, at most once in ten seconds.
#[derive(Debug)]
pub(super) struct Alarm {
    clock: Clock,
    /// When it may be said again, on the clock.
    due: AtomicU64,
    /// Rejections since it was last said.
    untold: AtomicU64,
}

impl Alarm {
    pub(super) fn new() -> Self {
        Self {
            clock: Clock::start(),
            due: AtomicU64::new(0),
            untold: AtomicU64::new(0),
        }
    }

    /// Counts a rejection. If it is time to say so, there have been so many.
    pub(super) fn ring(&self) -> Option<u64> {
        // They order nothing: two rejections at once are counted both, and one
        // of them is the one that speaks.
        self.untold.fetch_add(1, Ordering::Relaxed);
        let now = self.clock.now();
        let due = self.due.load(Ordering::Relaxed);
        let next = now.saturating_add(PAUSE);
        let speaks = now >= due
            && self
                .due
                .compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        speaks.then(|| self.untold.swap(0, Ordering::Relaxed))
    }
}

/// 10 s in nanoseconds: often enough to see that it goes on, and seldom enough
/// that a night of it can be read.
const PAUSE: u64 = 10_000_000_000;
