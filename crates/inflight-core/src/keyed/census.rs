use std::collections::BTreeMap;
use std::hash::Hash;

use super::entry::{Entry, Standing};
use super::gate::KeyedGate;
use super::home::Home;
use super::host::KeyedHost;
use super::shards::place;
use super::snapshot::KeyLoad;
use super::state::State;
use crate::wake::discard;
use crate::{Limit, Snapshot};

/// Single keys, as an operator sees and changes them.
impl<K> KeyedGate<K> {
    /// The numbers of one key as they stand together; `None` if nothing runs
    /// or waits under it. While somebody does wait, it takes the lock of the
    /// line.
    pub fn key(&self, key: &K) -> Option<Snapshot>
    where
        K: Eq + Hash,
    {
        let found = self.look_up(key, |entry| match &entry.standing {
            Standing::Alone(account) => Ok(account.snapshot(0)),
            Standing::Lined(_) => {
                entry.pins += 1;
                Err(())
            }
        })?;
        let numbers = found.unwrap_or_else(|home| {
            let mut turn = self.begin();
            let id = self.seat(&mut turn, home, 1);
            let numbers = turn.line.tenant(id).snapshot();
            turn.end();
            numbers
        });
        // Meanwhile all may have gone, or an arrival may only be on its way.
        (load(&numbers) > 0).then_some(numbers)
    }

    /// The `most` keys with the most in flight and waiting, in that order, and
    /// their numbers.
    ///
    /// Walks all keys with the lock of the line held, one part of the table
    /// after the other, so it is for a page that somebody looks at, not for
    /// every call. Keys are cloned under the locks, and dropped under none; a
    /// `Clone` that calls this gate is a deadlock.
    pub fn top(&self, most: usize) -> Vec<KeyLoad<K>>
    where
        K: Clone,
    {
        // Declared before the locks, so that no key is dropped under them, not
        // even where another panics as it is cloned.
        let mut top = BTreeMap::new();
        let mut passed = Vec::new();
        let state = self.lock();
        let mut seen = 0_usize;
        for shard in self.shards.all() {
            for entry in shard.entries() {
                let numbers = numbers(&state, entry);
                let rank = (load(&numbers), usize::MAX - seen);
                seen += 1;
                if rank.0 == 0 || !is_among(&top, most, &rank) {
                    continue;
                }
                top.insert(rank, KeyLoad::new(entry.key.clone(), numbers));
                if top.len() > most {
                    passed.extend(top.pop_first());
                }
            }
        }
        drop(state);
        for copy in passed {
            discard(Some(copy));
        }
        top.into_values().rev().collect()
    }

    pub(super) fn set_key_limit(
        &self,
        host: &impl KeyedHost<Key = K>,
        key: &K,
        limit: Limit,
    ) -> bool
    where
        K: Eq + Hash,
    {
        let found = self.look_up(key, |entry| match &mut entry.standing {
            Standing::Alone(account) => {
                account.set_limit(limit);
                Ok(())
            }
            Standing::Lined(_) => {
                entry.pins += 1;
                Err(())
            }
        });
        if let Some(Err(home)) = found {
            let (mut turn, now) = self.begin_timely(host);
            let id = self.seat(&mut turn, home, 1);
            turn.set_key_limit(id, limit, now);
            turn.end();
        }
        found.is_some()
    }

    /// Asks the entry of a key, if there is one; where it does not know, says
    /// where it lies.
    fn look_up<R>(
        &self,
        key: &K,
        ask: impl FnOnce(&mut Entry<K>) -> Result<R, ()>,
    ) -> Option<Result<R, Home>>
    where
        K: Eq + Hash,
    {
        let hash = self.shards.hash(key);
        let number = place(hash);
        let mut shard = self.shards.lock(number);
        let slot = shard.find(hash, Some(key))?;
        let home = Home {
            shard: number,
            slot,
        };
        Some(ask(shard.entry_mut(slot)).map_err(|()| home))
    }
}

/// Whether what has that `rank` belongs to the first `most`.
fn is_among<R: Ord, V>(top: &BTreeMap<R, V>, most: usize, rank: &R) -> bool {
    match top.first_key_value() {
        Some((last, _)) if top.len() >= most => rank > last,
        _ => most > 0,
    }
}

fn load(numbers: &Snapshot) -> usize {
    numbers.in_flight + numbers.queued
}

fn numbers<K>(state: &State, entry: &Entry<K>) -> Snapshot {
    match &entry.standing {
        Standing::Alone(account) => account.snapshot(0),
        Standing::Lined(id) => state.line.tenant(*id).snapshot(),
    }
}
