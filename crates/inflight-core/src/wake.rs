use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Waker;

/// Wakers that are woken together, after the lock.
pub(crate) struct Batch {
    wakers: [Option<Waker>; SIZE],
    len: usize,
}

impl Batch {
    pub(crate) fn new() -> Self {
        Self {
            wakers: [const { None }; SIZE],
            len: 0,
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.len == SIZE
    }

    pub(crate) fn push(&mut self, waker: Waker) {
        self.wakers[self.len] = Some(waker);
        self.len += 1;
    }

    pub(crate) fn wake_all(self) {
        self.wakers.into_iter().flatten().for_each(wake);
    }
}

/// Wakes; a waker that panics keeps nobody else from being woken, nor a permit
/// from being given back.
#[inline]
pub(crate) fn wake(waker: Waker) {
    contain(|| waker.wake());
}

/// Drops a waker, or whatever else a caller owned, that is no longer wanted;
/// its destructor may run anything.
#[inline]
pub(crate) fn discard<T>(unwanted: Option<T>) {
    if unwanted.is_some() {
        contain(|| drop(unwanted));
    }
}

#[inline]
fn contain(act: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(act)) {
        bury(payload);
    }
}

/// A payload's destructor may panic in its turn; a third panic is not followed.
#[cold]
fn bury(payload: Box<dyn std::any::Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        #[expect(clippy::mem_forget, reason = "to drop it could panic for ever")]
        std::mem::forget(again);
    }
}

/// Enough that a burst costs few locks, few enough to live on the stack.
const SIZE: usize = 32;
