mod entrance;
mod exit;
mod timing;

use std::collections::BTreeMap;
use std::fmt;

use self::timing::timely;
use crate::grants::Grants;
use crate::rules::{GateOptions, Rules};
use crate::state::State;
use crate::sync::{Mutex, MutexGuard, PoisonError};
use crate::threshold::Threshold;
use crate::turn::Turn;
use crate::word::{AtomicWord, State as Mark, Word};
use crate::{Host, Limit, Snapshot, Wakes};

pub(crate) use self::entrance::Entry;
pub(crate) use self::timing::now;

/// Where calls are admitted, wait, or are refused.
///
/// A gate holds numbers and waiters; it owns no clock and no reference count.
/// Whatever does, and implements [`Host`], has the operations.
///
/// # Fairness
///
/// Highest priority first if the gate goes by priority, and first come, first
/// served inside one priority. Nobody passes a waiter of its own or a higher
/// priority, not even where it would fit and the waiter does not. The lock
/// inside is not fair; it need not be, since the line decides who is next.
///
/// # Wakers
///
/// They are woken and dropped outside the lock, and may call the gate. One
/// that, while it is woken, drops the very waiter that was granted wakes the
/// next from inside: a chain of thousands of such wakers needs the stack for
/// it.
///
/// # Memory ordering
///
/// What was written before a permit was given back is seen by whoever is
/// admitted in its stead.
pub struct Gate {
    word: AtomicWord,
    pub(crate) threshold: Threshold,
    pub(crate) rules: Rules,
    pub(crate) grants: Grants,
    state: Mutex<State>,
}

impl Gate {
    /// An open gate with nothing in flight.
    pub fn new(options: &GateOptions) -> Self {
        let rules = Rules::new(options);
        let word = AtomicWord::new(rules.bounded(options.limit).units());
        let state = State::new(rules, word.load());
        Self {
            word,
            threshold: Threshold::new(),
            rules,
            grants: Grants::new(),
            state: Mutex::new(state),
        }
    }

    /// Whether a call of weight 1 would be admitted now without the lock: one
    /// load. It is false while anybody watches the gate drain, although a call
    /// may then be admitted.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.word.load().admits(1)
    }

    /// How much is in flight, in units of weight: one load.
    #[inline]
    pub fn in_flight(&self) -> usize {
        usize::try_from(self.word.load().in_flight()).unwrap_or(usize::MAX)
    }

    /// The numbers as they stand together.
    pub fn snapshot(&self) -> Snapshot {
        let word = self.word.load();
        if word.state() == Mark::Free {
            return self.snapshot_of(word, 0);
        }
        let state = self.lock();
        // Nobody but the lock's holder changes what is not `Free`, and while
        // it is nobody waits.
        self.snapshot_of(self.word.load(), state.queued())
    }

    fn snapshot_of(&self, word: Word, queued: u32) -> Snapshot {
        let to_usize = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        Snapshot {
            limit: to_usize(word.limit()),
            max_limit: to_usize(self.rules.heaviest(word.limit())),
            in_flight: to_usize(word.in_flight()),
            available: to_usize(word.limit().saturating_sub(word.in_flight())),
            queued: queued as usize,
        }
    }

    /// How many wait at each priority at which anybody does; empty unless the
    /// gate goes by priority. Walks the priorities under the lock.
    pub fn queued_by_priority(&self) -> BTreeMap<i32, usize> {
        if !self.rules.by_priority {
            return BTreeMap::new();
        }
        let state = self.lock();
        state
            .levels()
            .map(|(priority, len)| (priority, len as usize))
            .collect()
    }

    /// Whether [`Host::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.word.load().state() == Mark::Shut && self.lock().is_closed()
    }

    /// How many callers may wait.
    pub fn queue_limit(&self) -> usize {
        self.rules.queue_limit
    }

    pub(crate) fn resize(&self, host: &impl Host, limit: Limit) -> Wakes<'_> {
        let limit = self.rules.bounded(limit).units();
        timely(host, None, |now| {
            let mut turn = self.begin();
            // Where the time is missing somebody waits, so that nothing was
            // sealed; and nobody of ours is to be woken yet.
            turn.set_limit(limit, now)?;
            Ok(turn.publish())
        })
    }

    pub(crate) fn close(&self, host: &impl Host) {
        let now = now(host);
        let mut turn = self.begin();
        turn.close(now);
        turn.end();
    }

    #[inline]
    pub(crate) fn begin(&self) -> Turn<'_> {
        self.begin_with(self.lock())
    }

    #[inline]
    fn begin_with<'a>(&'a self, state: MutexGuard<'a, State>) -> Turn<'a> {
        Turn::begin(self, &self.word, state)
    }

    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // No caller's code runs under the lock, so a poisoned one can only
        // come from an invariant that was checked and failed; the state is
        // then as whole as it will ever be.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gate").field(&self.snapshot()).finish()
    }
}
