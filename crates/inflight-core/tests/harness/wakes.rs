use std::sync::{Arc, Mutex};
use std::task::Waker;

use inflight_test::waker_on_wake;

/// Which wakers were woken, in that order.
#[derive(Default)]
pub(crate) struct Wakes {
    woken: Arc<Mutex<Vec<usize>>>,
    wakers: usize,
}

#[derive(Clone)]
pub(crate) struct Numbered {
    pub(crate) number: usize,
    pub(crate) waker: Waker,
}

impl Wakes {
    pub(crate) fn waker(&mut self) -> Numbered {
        self.wakers += 1;
        let (number, woken) = (self.wakers, Arc::clone(&self.woken));
        let waker = waker_on_wake(move || woken.lock().expect(NEVER_POISONED).push(number));
        Numbered { number, waker }
    }

    /// Those since the last time.
    pub(crate) fn take(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.woken.lock().expect(NEVER_POISONED))
    }
}

const NEVER_POISONED: &str = "nobody panics while the list is locked";
