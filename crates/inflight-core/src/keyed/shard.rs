use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::account::Account;
use super::entry::{END, Entry, Standing};
use super::slots::Slots;

/// Some of the keys.
///
/// The map goes by the hash alone, which was computed before, outside of the
/// lock; keys of one hash are chained. So of a caller's code only `Eq` runs
/// here, and only to find a key: if it panics, nothing was changed.
///
/// # Invariants
///
/// 1. Every entry is on exactly one chain, that of its hash, and no two
///    entries of a chain have equal keys.
/// 2. No entry is idle while the shard is unlocked.
pub(super) struct Shard<K> {
    chains: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
    entries: Slots<Entry<K>>,
}

impl<K> Shard<K> {
    pub(super) fn new() -> Self {
        Self {
            chains: HashMap::default(),
            entries: Slots::keeping(KEPT),
        }
    }

    pub(super) fn find(&self, hash: u64, key: Option<&K>) -> Option<u32>
    where
        K: Eq,
    {
        let mut slot = *self.chains.get(&hash)?;
        while slot != END {
            let entry = self.entries.get(slot);
            if entry.key.as_ref() == key {
                return Some(slot);
            }
            slot = entry.next;
        }
        None
    }

    /// Enters a key that is not there.
    pub(super) fn insert(&mut self, hash: u64, key: Option<K>, pins: u32, account: Account) -> u32 {
        let slot = self.entries.insert(Entry {
            key,
            hash,
            next: END,
            pins,
            standing: Standing::Alone(account),
        });
        if let Some(next) = self.chains.insert(hash, slot) {
            self.entries.get_mut(slot).next = next;
        }
        slot
    }

    pub(super) fn entry(&self, slot: u32) -> &Entry<K> {
        self.entries.get(slot)
    }

    pub(super) fn entry_mut(&mut self, slot: u32) -> &mut Entry<K> {
        self.entries.get_mut(slot)
    }

    /// Takes an idle entry out.
    pub(super) fn remove(&mut self, slot: u32) -> Entry<K> {
        let entry = self.entries.remove(slot);
        debug_assert!(entry.is_idle(), "something runs or waits under the key");
        let first = self.chains[&entry.hash];
        if first == slot {
            match entry.next {
                END => self.chains.remove(&entry.hash),
                next => self.chains.insert(entry.hash, next),
            };
        } else {
            self.unchain(first, slot, entry.next);
        }
        if self.entries.is_empty() && self.chains.capacity() > KEPT {
            self.chains = HashMap::default();
        }
        entry
    }

    fn unchain(&mut self, first: u32, slot: u32, next: u32) {
        let mut before = first;
        loop {
            let entry = self.entries.get_mut(before);
            if entry.next == slot {
                entry.next = next;
                return;
            }
            before = entry.next;
        }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry<K>> {
        self.entries.iter().map(|(_, entry)| entry)
    }
}

/// Takes a hash for a hash.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole words are hashed here")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Few, since there are many shards.
const KEPT: usize = 4;
