use std::task::Waker;

use super::State;
use crate::line::{Key, Stage};

/// Those who wait for the gate to drain.
impl State {
    /// Remembers who waits for the gate to drain, unless it is drained.
    pub(crate) fn watch(&mut self, waker: &mut Option<Waker>) -> Option<Key> {
        if self.is_drained() {
            return None;
        }
        let key = self.line.nodes.insert(Stage::Watching);
        self.line.nodes.get_mut(key).waker = waker.take();
        self.watchers.push_back(&mut self.line.nodes, key);
        Some(key)
    }

    /// Whether the gate has drained since [`watch`](Self::watch); else keeps
    /// the new waker. One that is no longer wanted comes back.
    pub(crate) fn poll_watcher(
        &mut self,
        key: Key,
        waker: &mut Option<Waker>,
    ) -> (bool, Option<Waker>) {
        let node = self.line.nodes.get_mut(key);
        if matches!(node.stage, Stage::Watching) {
            return (false, std::mem::replace(&mut node.waker, waker.take()));
        }
        (true, self.forget(key))
    }

    pub(crate) fn unwatch(&mut self, key: Key) -> Option<Waker> {
        if matches!(self.line.nodes.get(key).stage, Stage::Watching) {
            self.watchers.remove(&mut self.line.nodes, key);
            return self.line.nodes.remove(key);
        }
        self.forget(key)
    }
}
