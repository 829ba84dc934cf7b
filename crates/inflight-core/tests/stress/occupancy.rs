use std::sync::atomic::{AtomicU32, Ordering};

/// Counts who is inside, apart from the gate that lets them in.
#[derive(Default)]
pub(crate) struct Occupancy {
    inside: AtomicU32,
    most: AtomicU32,
}

impl Occupancy {
    /// Runs `work` inside, which weighs so much.
    pub(crate) fn with<R>(&self, weight: u32, work: impl FnOnce() -> R) -> R {
        let inside = self.inside.fetch_add(weight, Ordering::SeqCst) + weight;
        self.most.fetch_max(inside, Ordering::SeqCst);
        let outcome = work();
        self.inside.fetch_sub(weight, Ordering::SeqCst);
        outcome
    }

    pub(crate) fn most(&self) -> u32 {
        self.most.load(Ordering::SeqCst)
    }
}
