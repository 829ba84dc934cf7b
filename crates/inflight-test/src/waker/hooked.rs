use std::sync::Arc;
use std::task::{Wake, Waker};

/// Makes a waker that runs `hook` each time it is woken.
///
/// A hook that calls back into whatever wakes it finds out whether a lock is
/// held there.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::sync::Arc;
///
/// let woken = Arc::new(AtomicBool::new(false));
/// let waker = inflight_test::waker_on_wake({
///     let woken = Arc::clone(&woken);
///     move || woken.store(true, Ordering::Relaxed)
/// });
/// waker.wake();
/// assert!(woken.load(Ordering::Relaxed));
/// ```
pub fn waker_on_wake(hook: impl Fn() + Send + Sync + 'static) -> Waker {
    Waker::from(Arc::new(OnWake(hook)))
}

/// Makes a waker that does nothing when woken, and runs `hook` once when the
/// last clone of it is gone.
///
/// Waking by value drops the waker too, and so runs the hook when no clone is
/// left.
pub fn waker_on_drop(hook: impl FnOnce() + Send + Sync + 'static) -> Waker {
    Waker::from(Arc::new(OnDrop(Some(hook))))
}

struct OnWake<F>(F);

impl<F: Fn() + Send + Sync + 'static> Wake for OnWake<F> {
    fn wake(self: Arc<Self>) {
        (self.0)();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        (self.0)();
    }
}

struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce() + Send + Sync + 'static> Wake for OnDrop<F> {
    fn wake(self: Arc<Self>) {}

    fn wake_by_ref(self: &Arc<Self>) {}
}

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(hook) = self.0.take() {
            hook();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn counter() -> (Arc<AtomicUsize>, impl Fn() + Send + Sync + 'static) {
        let count = Arc::new(AtomicUsize::new(0));
        let hook = {
            let count = Arc::clone(&count);
            move || {
                count.fetch_add(1, Ordering::Relaxed);
            }
        };
        (count, hook)
    }

    #[test]
    fn each_wake_runs_the_hook() {
        let (count, hook) = counter();
        let waker = waker_on_wake(hook);
        waker.wake_by_ref();
        let clone = waker.clone();
        clone.wake();
        drop(waker);
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn only_the_last_drop_runs_the_hook() {
        let (count, hook) = counter();
        let waker = waker_on_drop(hook);
        waker.wake_by_ref();
        let clone = waker.clone();
        clone.wake();
        assert_eq!(count.load(Ordering::Relaxed), 0);
        waker.wake();
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }
}
