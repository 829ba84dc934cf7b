use std::task::{Context, Poll};

use super::gate::Gate;
use super::model::Model;
use super::waiting::Watching;
use super::world::World;

/// What those do who wait for the gate to drain.
impl<M: Model> World<M> {
    pub(crate) fn watch(&mut self) {
        self.watchers.push(Watching {
            drained: self.gate.drained(),
            waker: self.wakes.waker(),
            is_over: self.model.books().is_drained(),
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
        let poll = watching.drained.as_mut().poll(&mut context);
        assert_eq!(poll == Poll::Ready(()), watching.is_over);
        if watching.is_over {
            self.watchers.remove(index);
        }
    }
}
