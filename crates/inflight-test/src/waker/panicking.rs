use std::sync::Arc;
use std::task::{Wake, Waker};

/// Makes a waker that panics when it is woken.
///
/// It does not panic when it is cloned or dropped.
///
/// ```should_panic
/// inflight_test::panicking_waker().wake();
/// ```
pub fn panicking_waker() -> Waker {
    Waker::from(Arc::new(Panicking))
}

struct Panicking;

impl Wake for Panicking {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        panic!("this waker panics when it is woken");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cloning_and_dropping_are_harmless() {
        let waker = panicking_waker();
        drop(waker.clone());
        drop(waker);
    }

    #[test]
    #[should_panic(expected = "this waker panics")]
    fn waking_by_reference_panics_too() {
        panicking_waker().wake_by_ref();
    }
}
