use std::ops::{Deref, DerefMut};

use super::entry::Standing;
use super::gate::KeyedGate;
use super::home::Home;
use super::state::State;
use super::wakes::KeyedWakes;
use crate::room::Room;
use crate::sync::MutexGuard;
use crate::word::{State as Mark, Word};

/// One hold of the line's lock: all that one event decides.
///
/// The total's word is sealed from the beginning to the end, and the accounts
/// of the keys that it is about belong to the line, so that nothing is
/// admitted or given back meanwhile.
pub(super) struct Turn<'a, K> {
    gate: &'a KeyedGate<K>,
    before: Word,
    state: MutexGuard<'a, State>,
    /// Keys that are forgotten, to be dropped unlocked.
    gone: Vec<K>,
}

impl<'a, K> Turn<'a, K> {
    pub(super) fn begin(gate: &'a KeyedGate<K>, mut state: MutexGuard<'a, State>) -> Self {
        let before = gate.word.seal();
        state.room = Room::new(before);
        Self {
            gate,
            before,
            state,
            gone: Vec::new(),
        }
    }

    /// Takes a permit back and hands it on. A key of which nobody waits keeps
    /// its account, since nothing else is decided about it; if it is forgotten
    /// it comes back, to be dropped unlocked.
    ///
    /// `seen` is the tenant that the key was a moment ago. The permit keeps the
    /// key's place, so if a tenant of that number is from there, it still is.
    pub(super) fn release(
        &mut self,
        home: Home,
        seen: Option<u32>,
        weight: u32,
        now: u64,
    ) -> Option<K> {
        let mut gone = None;
        let mut tenant = seen.filter(|&id| self.state.line.is_at(id, home));
        if tenant.is_none() {
            let mut shard = self.gate.shards.lock(home.shard);
            match &mut shard.entry_mut(home.slot).standing {
                Standing::Lined(id) => tenant = Some(*id),
                Standing::Alone(account) => {
                    account.give_back(weight);
                    gone = self.gate.shards.forget(&mut shard, home);
                }
            }
        }
        self.state.release(tenant, weight, now);
        gone
    }

    /// Publishes the outcome, lets go of the lock, and only then wakes those
    /// who have an answer, and drops the keys that are forgotten.
    pub(super) fn end(self) {
        drop(self.publish());
    }

    /// Publishes the outcome and lets go of the lock. Those who have an answer
    /// are woken when what comes back is dropped.
    pub(super) fn publish(mut self) -> KeyedWakes<'a, K> {
        while let Some((home, account)) = self.state.line.unseat() {
            let mut shard = self.gate.shards.lock(home.shard);
            shard.entry_mut(home.slot).standing = Standing::Alone(account);
            self.gone.extend(self.gate.shards.forget(&mut shard, home));
        }
        let after = self.state.word();
        // A seal on `Free` has to be taken off, whatever came of it.
        if after != self.before || after.state() == Mark::Free {
            self.gate.word.store(after);
        }
        let first = self.state.line.next_waker();
        let more = self.state.line.has_wakers();
        drop(self.state);
        KeyedWakes::new(self.gate, first, more, self.gone)
    }
}

impl<K> Deref for Turn<'_, K> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl<K> DerefMut for Turn<'_, K> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}
