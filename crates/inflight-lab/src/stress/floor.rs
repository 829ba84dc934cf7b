use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use super::faults::Faults;
use super::invariant::Invariant;
use super::witness;

/// Where the work is done; counts who is inside, apart from the limiter that
/// lets them in.
///
/// `Relaxed` is enough: it is the limiter's business that whoever leaves has
/// left before another comes in by the same permit. Where it fails to order
/// the two, the count is too high, as it should be.
#[derive(Debug)]
pub(crate) struct Floor {
    /// The weight that is inside.
    inside: AtomicUsize,
    most: AtomicUsize,
    highest: AtomicUsize,
    entered: AtomicU64,
    faults: Arc<Faults>,
}

impl Floor {
    pub(crate) fn new(faults: Arc<Faults>) -> Self {
        Self {
            inside: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            highest: AtomicUsize::new(0),
            entered: AtomicU64::new(0),
            faults,
        }
    }

    /// Says how much may be inside from now on, and forgets what was.
    pub(crate) fn expect_at_most(&self, highest: usize) {
        self.highest.store(highest, Relaxed);
        self.most.store(self.inside(), Relaxed);
    }

    /// Comes in, until the result is dropped.
    pub(crate) fn enter(self: &Arc<Self>, weight: u32) -> Presence {
        witness::note_entry();
        self.entered.fetch_add(1, Relaxed);
        let weight = usize::try_from(weight.max(1)).unwrap_or(usize::MAX);
        let inside = self.inside.fetch_add(weight, Relaxed) + weight;
        self.most.fetch_max(inside, Relaxed);
        let highest = self.highest.load(Relaxed);
        if inside > highest {
            self.faults.report(Invariant::Bounded, || {
                format!("{inside} inside, and the limit was never above {highest}")
            });
        }
        let floor = Arc::clone(self);
        Presence { floor, weight }
    }

    pub(crate) fn inside(&self) -> usize {
        self.inside.load(Relaxed)
    }

    /// The most that was inside since it was last said how much may be.
    pub(crate) fn most(&self) -> usize {
        self.most.load(Relaxed)
    }

    /// How many have come in, ever.
    pub(crate) fn entered(&self) -> u64 {
        self.entered.load(Relaxed)
    }
}

/// Somebody inside.
#[derive(Debug)]
#[must_use = "dropping it is leaving"]
pub(crate) struct Presence {
    floor: Arc<Floor>,
    weight: usize,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.floor.inside.fetch_sub(self.weight, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_above_the_highest_limit_is_a_fault() {
        let faults = Arc::new(Faults::default());
        let floor = Arc::new(Floor::new(Arc::clone(&faults)));
        floor.expect_at_most(3);
        let first = floor.enter(2);
        drop(floor.enter(0));
        assert!(!faults.any());
        let second = floor.enter(2);
        assert_eq!(
            faults.of(Invariant::Bounded).unwrap(),
            "4 inside, and the limit was never above 3"
        );
        drop((first, second));
        assert_eq!((floor.inside(), floor.most(), floor.entered()), (0, 4, 3));
    }
}
