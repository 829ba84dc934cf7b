use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};

/// Counts how often it is woken.
///
/// ```
/// use inflight_test::CountingWaker;
///
/// let counter = CountingWaker::new();
/// counter.waker().wake();
/// counter.waker().wake_by_ref();
/// assert_eq!(counter.wakes(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CountingWaker {
    counter: Arc<Counter>,
}

impl CountingWaker {
    /// Starts at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// A waker that counts here; all of them wake the same.
    pub fn waker(&self) -> Waker {
        Waker::from(Arc::clone(&self.counter))
    }

    /// How often it has been woken, on any thread.
    pub fn wakes(&self) -> usize {
        self.counter.wakes.load(Ordering::Acquire)
    }

    /// How many wakers of it are alive, which shows what somebody has stored.
    pub fn wakers(&self) -> usize {
        Arc::strong_count(&self.counter) - 1
    }
}

#[derive(Debug, Default)]
struct Counter {
    // Release pairs with the load in `wakes`, so that who sees a wake-up also
    // sees what was done before it.
    wakes: AtomicUsize,
}

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.wakes.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_count_together() {
        let counter = CountingWaker::new();
        let waker = counter.waker();
        let clone = waker.clone();
        clone.wake();
        waker.wake_by_ref();
        assert_eq!(counter.wakes(), 2);
    }

    #[test]
    fn a_stored_waker_shows() {
        let counter = CountingWaker::new();
        assert_eq!(counter.wakers(), 0);
        let stored = counter.waker();
        assert_eq!(counter.wakers(), 1);
        stored.wake();
        assert_eq!(counter.wakers(), 0);
    }
}
