use slab::Slab;

/// Values with small numbers for names.
///
/// It starts afresh whenever the last one goes: a free list that has been
/// scrambled would make later ones walk memory at random, and what a crowd once
/// needed is not kept.
pub(super) struct Slots<T> {
    slab: Slab<T>,
    kept: usize,
}

impl<T> Slots<T> {
    /// Keeps so many places for the next when the last one goes, so that a few
    /// that come and go allocate nothing.
    pub(super) fn keeping(kept: usize) -> Self {
        Self {
            slab: Slab::new(),
            kept,
        }
    }

    pub(super) fn insert(&mut self, value: T) -> u32 {
        u32::try_from(self.slab.insert(value)).expect("fewer than 2^32 are ever kept")
    }

    pub(super) fn remove(&mut self, slot: u32) -> T {
        let value = self.slab.remove(slot as usize);
        if self.slab.is_empty() {
            if self.slab.capacity() > self.kept {
                self.slab = Slab::new();
            } else {
                self.slab.clear();
            }
        }
        value
    }

    pub(super) fn find(&self, slot: u32) -> Option<&T> {
        self.slab.get(slot as usize)
    }

    pub(super) fn get(&self, slot: u32) -> &T {
        &self.slab[slot as usize]
    }

    pub(super) fn get_mut(&mut self, slot: u32) -> &mut T {
        &mut self.slab[slot as usize]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slab.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slab.iter().map(|(slot, value)| {
            (
                u32::try_from(slot).expect("it was one when it was given"),
                value,
            )
        })
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slab.iter_mut().map(|(_, value)| value)
    }
}
