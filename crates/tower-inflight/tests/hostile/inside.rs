use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts how many are inside, and how many were at most.
#[derive(Clone, Default)]
pub(crate) struct Inside(Arc<Counts>);

#[derive(Default)]
struct Counts {
    now: AtomicUsize,
    most: AtomicUsize,
}

/// Leaves when it is dropped, however that comes about.
pub(crate) struct Stay(Inside);

impl Inside {
    pub(crate) fn enter(&self) -> Stay {
        let now = self.0.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        Stay(self.clone())
    }

    pub(crate) fn most(&self) -> usize {
        self.0.most.load(Ordering::SeqCst)
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        self.0.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}
