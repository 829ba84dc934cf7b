use super::slots::Slots;

/// A doubly linked list threaded through what has [`Links`], which is on one at
/// most.
#[derive(Clone, Copy)]
pub(super) struct List {
    head: u32,
    tail: u32,
}

/// The neighbours on the list.
#[derive(Clone, Copy)]
pub(super) struct Links {
    previous: u32,
    next: u32,
}

/// What can be on a list.
pub(super) trait Linked {
    fn links(&mut self) -> &mut Links;
}

impl List {
    pub(super) const EMPTY: Self = Self {
        head: NONE,
        tail: NONE,
    };

    pub(super) fn push_back(&mut self, slots: &mut Slots<impl Linked>, slot: u32) {
        let previous = self.tail;
        *slots.get_mut(slot).links() = Links {
            previous,
            next: NONE,
        };
        match previous {
            NONE => self.head = slot,
            previous => slots.get_mut(previous).links().next = slot,
        }
        self.tail = slot;
    }

    pub(super) fn remove(&mut self, slots: &mut Slots<impl Linked>, slot: u32) {
        let Links { previous, next } = *slots.get_mut(slot).links();
        match previous {
            NONE => self.head = next,
            previous => slots.get_mut(previous).links().next = next,
        }
        match next {
            NONE => self.tail = previous,
            next => slots.get_mut(next).links().previous = previous,
        }
    }

    pub(super) fn head(self) -> Option<u32> {
        (self.head != NONE).then_some(self.head)
    }

    pub(super) fn tail(self) -> Option<u32> {
        (self.tail != NONE).then_some(self.tail)
    }

    pub(super) fn is_empty(self) -> bool {
        self.head == NONE
    }
}

impl Links {
    pub(super) const NONE: Self = Self {
        previous: NONE,
        next: NONE,
    };
}

/// No slot has this number: fewer than 2^31 wait.
const NONE: u32 = u32::MAX;
