use std::fmt;

use super::home::Home;
use super::host::{KeyedHost, now};
use super::options::KeyedOptions;
use super::plan::KeyPlan;
use super::rules::Rules;
use super::shards::Shards;
use super::snapshot::KeyedSnapshot;
use super::state::State;
use super::turn::Turn;
use super::wakes::KeyedWakes;
use crate::sync::{Mutex, MutexGuard, PoisonError};
use crate::word::{AtomicWord, State as Mark};
use crate::{Limit, Snapshot};

/// Where calls under many keys are admitted, wait, or are refused: by the
/// limit of their key and by the total, in one decision.
///
/// Like a [`Gate`](crate::Gate) it owns no clock and no reference count.
/// Whatever does, and implements [`KeyedHost`](crate::KeyedHost), has the
/// operations.
///
/// A call whose key is full waits without holding anything of the total, so a
/// key at its own limit takes no room from the others. It can take places in
/// the line from them, unless
/// [`key_queue_limit`](crate::KeyedOptions::key_queue_limit) is below
/// [`queue_limit`](crate::KeyedOptions::queue_limit).
///
/// # Keys
///
/// A key is known from the moment a call under it is admitted or waits, and
/// forgotten the moment nothing runs or waits under it. What an attacker who
/// invents keys can make the gate remember is bounded by
/// [`max_keys`](crate::KeyedOptions::max_keys) and by what runs and waits.
///
/// Of a key's own code, `Hash` runs under no lock, and nor does `Drop`, which
/// may call this gate; if it panics, the panic is caught. `Eq` runs under the
/// lock of a part of the table, wherever a key of the same hash is known: if it
/// panics, nothing has changed; while it blocks, calls under other keys may be
/// held up; and if it calls this gate, that may be a deadlock. A key that does
/// not equal itself is a new one with every call.
///
/// # Fairness
///
/// Among the callers of one key: highest priority first if the gate goes by
/// priority, and first come, first served inside one. Nobody passes a caller
/// of its own key and of its own or a higher priority. Among the keys:
/// [`Fairness`](crate::Fairness) says. Whoever is next there is waited for,
/// also where somebody lighter would fit.
///
/// # Wakers
///
/// They are woken and dropped under no lock, and may call the gate. One that,
/// while it is woken, drops the very waiter that was granted wakes the next
/// from inside: a chain of thousands of such wakers needs the stack for it.
///
/// # Memory ordering
///
/// What was written before a permit was given back is seen by whoever is
/// admitted in its stead, under whichever key.
pub struct KeyedGate<K> {
    /// The total; `Free` while no waiter could use room in it.
    pub(super) word: AtomicWord,
    pub(super) rules: Rules,
    pub(super) plans: Option<Plans<K>>,
    pub(super) shards: Shards<K>,
    state: Mutex<State>,
}

/// What each key may have.
pub(super) type Plans<K> = Box<dyn Fn(&K) -> KeyPlan + Send + Sync>;

impl<K> KeyedGate<K> {
    /// An open gate with nothing in flight, and one plan for all keys.
    pub fn new(options: &KeyedOptions) -> Self {
        Self::build(options, None)
    }

    /// An open gate that asks what a key may have.
    ///
    /// `plans` is called under no lock, by each call that finds its key unknown,
    /// also where it is then refused: callers who invent keys make it run, so it
    /// should be cheap. What it says counts for as long as the gate knows the
    /// key. It may call this gate, and may panic; nothing has changed then.
    pub fn with_plans(
        options: &KeyedOptions,
        plans: impl Fn(&K) -> KeyPlan + Send + Sync + 'static,
    ) -> Self {
        Self::build(options, Some(Box::new(plans)))
    }

    fn build(options: &KeyedOptions, plans: Option<Plans<K>>) -> Self {
        let rules = Rules::new(options);
        let word = AtomicWord::new(rules.bounded(options.limit).units());
        let state = State::new(rules, word.load());
        Self {
            word,
            rules,
            plans,
            shards: Shards::new(),
            state: Mutex::new(state),
        }
    }

    /// Whether a call of weight 1 would be admitted now as far as the total is
    /// concerned: one load. It is false while anybody watches the gate drain,
    /// although a call may then be admitted.
    pub fn has_room(&self) -> bool {
        self.word.load().admits(1)
    }

    /// How much is in flight, of all keys, in units of weight: one load.
    pub fn in_flight(&self) -> usize {
        usize::try_from(self.word.load().in_flight()).unwrap_or(usize::MAX)
    }

    /// How many keys something runs or waits under: one load. The one that
    /// calls under too many keys share does not count.
    pub fn keys(&self) -> usize {
        self.shards.keys()
    }

    /// The total's numbers as they stand together, and how many keys there are.
    pub fn snapshot(&self) -> KeyedSnapshot {
        let state = self.lock();
        // Nobody joins or leaves the line while we hold its lock.
        let (word, queued) = (self.word.load(), state.line.queued());
        drop(state);
        let to_usize = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        KeyedSnapshot {
            total: Snapshot {
                limit: to_usize(word.limit()),
                max_limit: to_usize(self.rules.heaviest(word.limit())),
                in_flight: to_usize(word.in_flight()),
                available: to_usize(word.limit().saturating_sub(word.in_flight())),
                queued: queued as usize,
            },
            keys: self.keys(),
            max_keys: self.rules.max_keys,
        }
    }

    /// How many callers may wait, of all keys together.
    pub fn queue_limit(&self) -> usize {
        self.rules.queue_limit
    }

    /// How many callers of one key may wait.
    pub fn key_queue_limit(&self) -> usize {
        self.rules.key_queue_limit
    }

    /// Whether [`KeyedHost::close`](crate::KeyedHost::close) was called.
    pub fn is_closed(&self) -> bool {
        self.word.load().state() == Mark::Shut && self.lock().is_closed()
    }

    pub(super) fn resize(&self, host: &impl KeyedHost<Key = K>, limit: Limit) -> KeyedWakes<'_, K> {
        let limit = self.rules.bounded(limit).units();
        let (mut turn, now) = self.begin_timely(host);
        turn.set_limit(limit, now);
        turn.publish()
    }

    pub(super) fn close(&self, host: &impl KeyedHost<Key = K>) {
        let now = now(host);
        let mut turn = self.begin();
        turn.close(now);
        turn.end();
    }

    pub(super) fn begin(&self) -> Turn<'_, K> {
        Turn::begin(self, self.lock())
    }

    /// Begins a turn that may find that somebody's time has come.
    pub(super) fn begin_timely(&self, host: &impl KeyedHost<Key = K>) -> (Turn<'_, K>, u64) {
        let (state, now) = self.lock_timely(host, self.rules.is_timed());
        (Turn::begin(self, state), now)
    }

    /// The lock, and what time it is: the beginning of time where nobody has a
    /// deadline, unless it `matters` all the same.
    pub(super) fn lock_timely(
        &self,
        host: &impl KeyedHost<Key = K>,
        matters: bool,
    ) -> (MutexGuard<'_, State>, u64) {
        if !matters {
            let state = self.lock();
            if !state.line.is_timed() {
                return (state, 0);
            }
        }
        let now = now(host);
        (self.lock(), now)
    }

    /// Has the line take a key's account over, and takes as many pins off as
    /// are the caller's. Something runs under the key, or it is pinned.
    pub(super) fn seat(&self, state: &mut State, home: Home, pins: u32) -> u32 {
        let mut shard = self.shards.lock(home.shard);
        let entry = shard.entry_mut(home.slot);
        entry.pins -= pins;
        state.line.seat(entry, home)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // No caller's code runs under this lock, so a poisoned one can only
        // come from an invariant that was checked and failed; the state is
        // then as whole as it will ever be.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K> fmt::Debug for KeyedGate<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyedGate").field(&self.snapshot()).finish()
    }
}
