use super::node::{Key, Nodes};

/// A doubly linked list threaded through the nodes; a node is on one at most.
#[derive(Clone, Copy)]
pub(crate) struct List {
    head: Key,
    tail: Key,
}

impl List {
    pub(crate) const EMPTY: Self = Self {
        head: Key::NONE,
        tail: Key::NONE,
    };

    #[inline]
    pub(crate) fn push_back(&mut self, nodes: &mut Nodes, key: Key) {
        let tail = self.tail;
        let node = nodes.get_mut(key);
        node.previous = tail;
        node.next = Key::NONE;
        if tail.is_none() {
            self.head = key;
        } else {
            nodes.get_mut(tail).next = key;
        }
        self.tail = key;
    }

    #[inline]
    pub(crate) fn remove(&mut self, nodes: &mut Nodes, key: Key) {
        let node = nodes.get(key);
        let (previous, next) = (node.previous, node.next);
        if previous.is_none() {
            self.head = next;
        } else {
            nodes.get_mut(previous).next = next;
        }
        if next.is_none() {
            self.tail = previous;
        } else {
            nodes.get_mut(next).previous = previous;
        }
    }

    #[inline]
    pub(crate) fn pop_front(&mut self, nodes: &mut Nodes) -> Option<Key> {
        let head = self.head()?;
        self.head = nodes.get(head).next;
        if self.head.is_none() {
            self.tail = Key::NONE;
        } else {
            nodes.get_mut(self.head).previous = Key::NONE;
        }
        Some(head)
    }

    #[inline]
    pub(crate) fn head(self) -> Option<Key> {
        (!self.head.is_none()).then_some(self.head)
    }

    #[inline]
    pub(crate) fn tail(self) -> Option<Key> {
        (!self.tail.is_none()).then_some(self.tail)
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.head.is_none()
    }
}
