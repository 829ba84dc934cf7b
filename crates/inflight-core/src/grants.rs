use crate::line::Key;
use crate::sync::{AtomicU8, OnceLock, Ordering};

/// Which waiters may run, for them to see without the lock.
///
/// A waiter's slot shows the weight that it was granted, if that is small, from
/// the end of the turn that granted it until it is fetched. Slots are set and, where nobody
/// fetches them, cleared by the lock's holder; a waiter that has seen its
/// grant clears its own, which is nobody else's before its permit comes back.
///
/// Blocks double in length, so that they never move.
pub(crate) struct Grants(OnceLock<Box<[Block; BLOCKS]>>);

type Block = OnceLock<Box<[AtomicU8]>>;

impl Grants {
    pub(crate) fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The weight that the waiter at `key` was granted, if it was; once only.
    #[inline]
    pub(crate) fn fetch(&self, key: Key) -> Option<u32> {
        let slot = self.slot(key)?;
        // Acquire: pairs with the Release in `set`, so that the work sees what
        // the work before it wrote, and the gate as it was left by the grant.
        let weight = slot.load(Ordering::Acquire);
        if weight == 0 {
            return None;
        }
        // Relaxed: see `clear`.
        slot.store(0, Ordering::Relaxed);
        Some(weight.into())
    }

    /// Makes a slot for whoever is at `key`. The lock must be held, and all
    /// keys below have been here.
    #[inline]
    pub(crate) fn reserve(&self, key: Key) {
        if let (block, 0) = position(key) {
            self.grow(block);
        }
    }

    fn grow(&self, block: usize) {
        let blocks = self
            .0
            .get_or_init(|| Box::new([const { Block::new() }; BLOCKS]));
        blocks[block].get_or_init(|| (0..FIRST << block).map(|_| AtomicU8::new(0)).collect());
    }

    /// Tells the waiter at `key`. The lock must be held, and the gate's word
    /// be as the grant leaves it.
    #[inline]
    pub(crate) fn set(&self, key: Key, weight: u32) {
        if let (Some(slot), Ok(weight)) = (self.slot(key), u8::try_from(weight)) {
            // Release: pairs with the Acquire in `fetch`.
            slot.store(weight, Ordering::Release);
        }
    }

    /// Makes the slot as new, before it can be another's.
    #[inline]
    pub(crate) fn clear(&self, key: Key) {
        if let Some(slot) = self.slot(key) {
            // Relaxed: whoever has the slot next learns of it under the lock.
            slot.store(0, Ordering::Relaxed);
        }
    }

    #[inline]
    fn slot(&self, key: Key) -> Option<&AtomicU8> {
        let (block, index) = position(key);
        self.0.get()?[block].get()?.get(index)
    }
}

/// Which block, and where in it.
#[inline]
fn position(key: Key) -> (usize, usize) {
    let place = key.code() as usize + FIRST;
    let block = place.ilog2() - FIRST.ilog2();
    (block as usize, place - (FIRST << block))
}

const FIRST: usize = 16;
/// Enough for 2^31 waiters.
const BLOCKS: usize = 28;

#[cfg(all(test, not(inflight_loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_waiter_has_a_slot_of_its_own() {
        let mut next = (0, 0);
        for code in 0..10_000 {
            let position = position(Key::from_code(code));
            if position != next {
                next = (next.0 + 1, 0);
            }
            assert_eq!(position, next);
            next.1 += 1;
        }
        let (block, index) = position(Key::from_code((1 << 31) - 1));
        assert!(block < BLOCKS && index < FIRST << block);
    }
}
