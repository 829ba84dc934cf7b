use std::task::Waker;

use super::slots::Slots;

/// Those who wait for the gate to drain.
pub(super) struct Watchers {
    all: Slots<Watcher>,
    /// How many of them it is not over for.
    watching: usize,
}

struct Watcher {
    /// Taken once it is over.
    waker: Option<Waker>,
    is_over: bool,
}

impl Watchers {
    pub(super) fn new() -> Self {
        Self {
            all: Slots::keeping(1),
            watching: 0,
        }
    }

    pub(super) fn insert(&mut self, waker: Waker) -> u32 {
        self.watching += 1;
        self.all.insert(Watcher {
            waker: Some(waker),
            is_over: false,
        })
    }

    /// Forgets a watcher that it is over for; else keeps it, and its new waker.
    /// A waker that is no longer wanted comes back.
    pub(super) fn poll(
        &mut self,
        watcher: u32,
        waker: &mut Option<Waker>,
    ) -> (Option<u32>, Option<Waker>) {
        let known = self.all.get_mut(watcher);
        if known.is_over {
            return (None, self.remove(watcher));
        }
        (
            Some(watcher),
            std::mem::replace(&mut known.waker, waker.take()),
        )
    }

    pub(super) fn remove(&mut self, watcher: u32) -> Option<Waker> {
        let Watcher { waker, is_over } = self.all.remove(watcher);
        self.watching -= usize::from(!is_over);
        waker
    }

    /// Whether it is not over for anybody.
    pub(super) fn is_watched(&self) -> bool {
        self.watching > 0
    }

    /// The drain has come: those who are to be woken.
    pub(super) fn end(&mut self) -> impl Iterator<Item = Waker> {
        self.watching = 0;
        self.all.iter_mut().filter_map(|watcher| {
            watcher.is_over = true;
            watcher.waker.take()
        })
    }
}
