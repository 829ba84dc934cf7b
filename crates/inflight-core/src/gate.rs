use std::collections::BTreeMap;
use std::fmt;
use std::task::Waker;

use crate::claim::Claim;
use crate::grants::Grants;
use crate::line::Key;
use crate::room::Room;
use crate::rules::{GateOptions, Rules};
use crate::state::{Answer, NeedsClock, State, Verdict};
use crate::sync::{Mutex, MutexGuard, PoisonError};
use crate::threshold::Threshold;
use crate::ticket::NO_DEADLINE;
use crate::turn::Turn;
use crate::wake::discard;
use crate::word::{AtomicWord, State as Mark, Word};
use crate::{Host, Limit, PackedRefusal, Reason, Refusal, Snapshot, Ticket, Wakes};

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

    /// Admits without the lock, or says with which word it could not.
    #[inline]
    pub(crate) fn try_admit(&self, weight: u64) -> Result<(), Word> {
        self.word.try_admit(weight)
    }

    /// Refuses without the lock an arrival that did not fit, if `word` and the
    /// threshold say enough.
    #[inline]
    pub(crate) fn try_refuse(
        &self,
        host: &impl Host,
        word: Word,
        ticket: Ticket,
    ) -> Option<PackedRefusal> {
        let stays_full = || self.stays_full(host, ticket);
        self.rules.refuse(word, ticket.weight().into(), stays_full)
    }

    /// Whether nobody leaves a full line to an arrival.
    #[inline]
    fn stays_full(&self, host: &impl Host, ticket: Ticket) -> bool {
        match self.threshold.load() {
            Threshold::SHUT => true,
            threshold if self.rules.by_priority => Threshold::rank(ticket.priority()) < threshold,
            Threshold::OPEN => false,
            soonest => is_before(host, soonest),
        }
    }

    /// How many callers may wait.
    pub fn queue_limit(&self) -> usize {
        self.rules.queue_limit
    }

    /// Decides about an arrival that [`try_admit`](Self::try_admit) did not let in.
    #[cold]
    #[inline(never)]
    pub(crate) fn arrive(&self, host: &impl Host, ticket: Ticket, may_wait: bool) -> Verdict {
        let weight = u64::from(ticket.weight());
        let now = loop {
            let word = self.word.load();
            match word.state() {
                // The lock's holder says whether it is worth a reading.
                _ if ticket.max_wait_nanos() == 0 => break None,
                Mark::Free if self.may_pass(word, weight) => {
                    if self.word.admit_from(word, weight).is_ok() {
                        return Verdict::Admitted;
                    }
                }
                Mark::Free if self.rules.queue_limit == 0 || !may_wait => {
                    return self.refuse(Reason::LimitReached, word, weight);
                }
                Mark::Free | Mark::Line if may_wait && self.rules.measures(ticket) => {
                    break Some(now(host));
                }
                _ => break None,
            }
        };
        timely(host, now, |now| self.arrive_in_turn(ticket, may_wait, now))
    }

    #[inline(never)]
    fn arrive_in_turn(
        &self,
        ticket: Ticket,
        may_wait: bool,
        now: Option<u64>,
    ) -> Result<Verdict, NeedsClock> {
        let mut turn = self.begin();
        let verdict = turn.arrive(ticket, may_wait, now);
        if let Ok(Verdict::Queued(key)) = verdict {
            self.grants.reserve(key);
        }
        turn.end();
        verdict
    }

    /// Whether nobody waits and there is room, if only to run alone.
    fn may_pass(&self, word: Word, weight: u64) -> bool {
        Room::new(word).fits(weight) && weight <= self.rules.heaviest(word.limit())
    }

    fn refuse(&self, reason: Reason, word: Word, weight: u64) -> Verdict {
        let too_heavy = weight > self.rules.heaviest(word.limit());
        let reason = if too_heavy { Reason::TooHeavy } else { reason };
        Verdict::Refused(Refusal::new(reason, word, 0))
    }

    #[inline]
    pub(crate) fn release(&self, host: &impl Host, claim: Claim) {
        if !claim.is_light() || !self.word.try_release(claim.weight()) {
            self.release_late(host, claim);
        }
    }

    #[cold]
    fn release_late(&self, host: &impl Host, claim: Claim) {
        // Where everyone has a deadline, reading first saves a second turn.
        let timed = self.rules.queue_timeout != NO_DEADLINE;
        let waits = matches!(self.word.load().state(), Mark::Line | Mark::LineFull);
        let now = (timed && waits).then(|| now(host));
        discard(timely(host, now, |now| self.release_in_turn(claim, now)));
    }

    #[inline(never)]
    fn release_in_turn(&self, claim: Claim, now: Option<u64>) -> Result<Option<Waker>, NeedsClock> {
        let mut turn = self.begin();
        let waker = turn.release(claim.weight(), claim.node(), now);
        turn.end();
        waker
    }

    /// The weight that a waiter was granted, if it was and need not ask under
    /// the lock.
    #[inline]
    pub(crate) fn granted(&self, key: Key) -> Option<u32> {
        self.grants.weight(key)
    }

    /// A waiter that keeps its node will not ask again.
    #[inline]
    pub(crate) fn fetched(&self, key: Key) {
        self.grants.clear(key);
    }

    /// Gives a waiter's place up, or passes on what it was granted.
    pub(crate) fn cancel(&self, host: &impl Host, key: Key) {
        let mut state = self.lock();
        if state.is_one_of_many(key) {
            let waker = state.leave(key);
            if state.has_room_for_head(self.word.load()) {
                self.begin_with(state).settle();
            } else {
                drop(state);
            }
            discard(waker);
            return;
        }
        let first = self.cancel_in_turn(self.begin_with(state), key, None);
        let again = || self.cancel_in_turn(self.begin(), key, Some(now(host)));
        discard(first.or_else(|NeedsClock| again()).unwrap_or_default());
    }

    #[inline(never)]
    fn cancel_in_turn(
        &self,
        mut turn: Turn<'_>,
        key: Key,
        now: Option<u64>,
    ) -> Result<Option<Waker>, NeedsClock> {
        if turn.is_granted(key) {
            self.grants.clear(key);
        }
        let waker = turn.cancel(key, now);
        turn.end();
        waker
    }

    /// Looks for a waiter's answer, without a turn: it changes nobody else's.
    #[inline(never)]
    pub(crate) fn poll(&self, key: Key, waker: &Waker, first: bool) -> Answer {
        let mut new = first.then(|| waker.clone());
        loop {
            let mut old = None;
            let mut state = self.lock();
            let answer = state.poll(key, waker, &mut new, &mut old);
            drop(state);
            discard(old);
            if let Some(answer) = answer {
                discard(new);
                return answer;
            }
            new = Some(waker.clone());
        }
    }

    #[cold]
    pub(crate) fn expire(&self, key: Key, now: u64) {
        let mut turn = self.begin();
        let waker = turn.expire(key, now);
        turn.end();
        discard(waker);
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

/// Asks again with the time where it turns out to matter.
#[inline]
fn timely<R>(
    host: &impl Host,
    mut time: Option<u64>,
    mut ask: impl FnMut(Option<u64>) -> Result<R, NeedsClock>,
) -> R {
    loop {
        match ask(time) {
            Ok(answer) => return answer,
            Err(NeedsClock) => time = Some(now(host)),
        }
    }
}

#[inline(never)]
fn is_before(host: &impl Host, moment: u64) -> bool {
    now(host) < moment
}

/// The host's time, below the one that stands for "no deadline".
pub(crate) fn now(host: &impl Host) -> u64 {
    host.now().min(NO_DEADLINE - 1)
}
