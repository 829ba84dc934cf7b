use std::pin::Pin;
use std::task::{Context, Poll};

use inflight_core::KeyedHost;

use crate::waiting::Watching;
use crate::world::World;

/// What those do who wait for the gate to drain.
impl World {
    pub(crate) fn watch(&mut self) {
        self.watchers.push(Watching {
            drained: self.gate.drained(),
            waker: self.wakes.waker(),
            is_over: self.is_drained(),
        });
        self.poll_watcher(self.watchers.len() - 1);
    }

    pub(crate) fn poll_watcher(&mut self, index: usize) {
        if self.watchers.is_empty() {
            return;
        }
        let index = index % self.watchers.len();
        let watching = &mut self.watchers[index];
        watching.waker = self.wakes.waker();
        let mut context = Context::from_waker(&watching.waker.waker);
        let poll = Pin::new(&mut watching.drained).poll(&mut context);
        assert_eq!(poll == Poll::Ready(()), watching.is_over);
        if watching.is_over {
            self.watchers.remove(index);
        }
    }
}
