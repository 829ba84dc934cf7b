use std::hash::{BuildHasher, Hash};

use super::home::Home;
use super::shard::Shard;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering, PoisonError, RandomState};

/// The table of keys, in parts that are locked one by one, so that calls under
/// different keys seldom meet.
pub(super) struct Shards<K> {
    hasher: RandomState,
    /// One more than keys are spread over, for the entry of the overflow.
    parts: Box<[Mutex<Shard<K>>]>,
    /// How many keys there are, the overflow not among them; never fewer than
    /// are in the parts.
    keys: AtomicU64,
}

impl<K> Shards<K> {
    pub(super) fn new() -> Self {
        Self {
            hasher: RandomState::default(),
            parts: (0..=SPREAD).map(|_| Mutex::new(Shard::new())).collect(),
            keys: AtomicU64::new(0),
        }
    }

    /// The hash of a key; the one thing that runs its `Hash`, under no lock.
    pub(super) fn hash(&self, key: &K) -> u64
    where
        K: Hash,
    {
        self.hasher.hash_one(key)
    }

    pub(super) fn lock(&self, shard: u32) -> MutexGuard<'_, Shard<K>> {
        // A key's `Eq` may panic under the lock, but before anything changes.
        self.parts[shard as usize]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = MutexGuard<'_, Shard<K>>> {
        (0..=SPREAD).map(|shard| self.lock(shard))
    }

    /// Takes the entry out if nothing runs or waits under it any more. What
    /// comes back is to be dropped unlocked.
    pub(super) fn forget(&self, shard: &mut Shard<K>, home: Home) -> Option<K> {
        if !shard.entry(home.slot).is_idle() {
            return None;
        }
        let key = shard.remove(home.slot).key;
        if key.is_some() {
            self.unreserve();
        }
        key
    }

    /// Makes place for one key more, unless there are `most` already.
    pub(super) fn reserve(&self, most: usize) -> bool {
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        // Relaxed: the count publishes nothing; the shards' locks do.
        let more = |keys| (keys < most).then_some(keys + 1);
        self.keys
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more)
            .is_ok()
    }

    pub(super) fn unreserve(&self) {
        // Relaxed: as in `reserve`.
        self.keys.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn keys(&self) -> usize {
        // Relaxed: for display.
        usize::try_from(self.keys.load(Ordering::Relaxed)).unwrap_or(usize::MAX)
    }
}

/// Which shard keys of `hash` are in. The map inside goes by the bits at both
/// ends.
pub(super) fn place(hash: u64) -> u32 {
    (hash >> 32) as u32 & (SPREAD - 1)
}

/// The shard of the entry that the calls under too many keys share.
pub(super) const OVERFLOW: u32 = SPREAD;

/// A power of two, well above the cores that would meet; 10 KiB in all.
#[cfg(not(inflight_loom))]
const SPREAD: u32 = 64;
/// Both cases, of one shard and of two, are in the models' reach.
#[cfg(inflight_loom)]
const SPREAD: u32 = 2;
