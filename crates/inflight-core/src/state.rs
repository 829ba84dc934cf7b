//! What the lock guards, and every decision that needs it: sequential code.
//!
//! # Invariants
//!
//! Between two turns of the lock:
//!
//! 1. `in_flight` is the weight of the live permits and of the waiters that
//!    were granted but have not fetched it.
//! 2. Whoever is next does not fit: `in_flight > 0` and
//!    `in_flight + weight > limit`.
//! 3. No more wait than there are places, and nobody waits at a closed gate.
//! 4. Nobody watches for the gate to drain while it is drained.
//! 5. A node is on `answered` iff it has its answer and still its waker.
//! 6. Nobody is on `decided`.

use std::task::Waker;

use crate::grants::Grants;
use crate::line::{Key, Line, List, Stage};
use crate::room::Room;
use crate::rules::Rules;
use crate::threshold::Threshold;
use crate::word::{State as Mark, Word};
use crate::{Reason, Refusal, Ticket};

pub(crate) struct State {
    rules: Rules,
    pub(crate) room: Room,
    line: Line,
    /// Those who wait for the gate to drain.
    watchers: List,
    /// Those whom this turn has given an answer.
    decided: List,
    /// Those who have an answer and are to be woken, but for the first.
    answered: List,
    closed: bool,
}

/// What an arrival is told.
pub(crate) enum Verdict {
    Admitted,
    Queued(Key),
    Refused(Refusal),
}

/// What a waiter is told.
pub(crate) enum Answer {
    Granted {
        weight: u32,
        since: u64,
    },
    /// The same if nobody asked since when: its node comes back with its
    /// permit, so that it need not take the lock to be told.
    Kept {
        weight: u32,
    },
    Refused(Refusal),
    /// Since it was asked to wait until then.
    Pending {
        deadline: u64,
    },
}

/// Nothing was changed: the time has to be known, and is read outside the lock.
pub(crate) struct NeedsClock;

impl State {
    pub(crate) fn new(rules: Rules, word: Word) -> Self {
        Self {
            rules,
            room: Room::new(word),
            line: Line::new(),
            watchers: List::EMPTY,
            decided: List::EMPTY,
            answered: List::EMPTY,
            closed: false,
        }
    }

    /// Decides about an arrival; `may_wait` says whether it would join the line.
    #[inline]
    pub(crate) fn arrive(
        &mut self,
        ticket: Ticket,
        may_wait: bool,
        now: Option<u64>,
    ) -> Result<Verdict, NeedsClock> {
        let weight = u64::from(ticket.weight());
        let priority = self.priority(ticket);
        if let Some(reason) = self.hopeless(ticket) {
            return Ok(self.refused(reason));
        }
        if self.admit(priority, weight) {
            return Ok(Verdict::Admitted);
        }
        if self.is_full() && self.line.is_timed() {
            self.refuse_expired(now.ok_or(NeedsClock)?);
            if self.admit(priority, weight) {
                return Ok(Verdict::Admitted);
            }
        }
        if self.rules.queue_limit == 0 || !may_wait {
            return Ok(self.refused(Reason::LimitReached));
        }
        let evicted = if self.is_full() {
            match self.evictable_by(priority) {
                None => return Ok(self.refused(Reason::QueueFull)),
                evicted => evicted,
            }
        } else {
            None
        };
        let since = if self.rules.measures(ticket) {
            now.ok_or(NeedsClock)?
        } else {
            UNKNOWN
        };
        if let Some(evicted) = evicted {
            let now = match self.line.since(evicted) {
                UNKNOWN => 0,
                _ => now.ok_or(NeedsClock)?,
            };
            self.refuse(evicted, Reason::QueueEvicted, now);
        }
        let deadline = since.saturating_add(self.rules.patience(ticket));
        let key = self.line.join(priority, ticket.weight(), since, deadline);
        Ok(Verdict::Queued(key))
    }

    /// Takes a permit back, with the node of the waiter that it was granted
    /// to, and hands it on. A waker that is no longer wanted comes back.
    #[inline]
    pub(crate) fn release(
        &mut self,
        weight: u64,
        node: Option<Key>,
        now: Option<u64>,
    ) -> Result<Option<Waker>, NeedsClock> {
        let now = self.time(now)?;
        debug_assert!(self.room.in_flight >= weight, "a permit came back twice");
        self.room.in_flight -= weight;
        let waker = node.and_then(|key| self.forget(key));
        self.grant(now);
        Ok(waker)
    }

    /// Looks for a waiter's answer and keeps its waker where there is none;
    /// `None` if that has to be cloned first. A waker that is no longer wanted
    /// is left in `old`, to be dropped unlocked.
    #[inline]
    pub(crate) fn poll(
        &mut self,
        key: Key,
        waker: &Waker,
        new: &mut Option<Waker>,
        old: &mut Option<Waker>,
    ) -> Option<Answer> {
        if let Some(deadline) = self.line.deadline(key) {
            let node = self.line.nodes.get_mut(key);
            if new.is_some() {
                *old = std::mem::replace(&mut node.waker, new.take());
            } else if !node.waker.as_ref().is_some_and(|old| old.will_wake(waker)) {
                return None;
            }
            return Some(Answer::Pending { deadline });
        }
        let answer = match self.line.nodes.get(key).stage {
            Stage::Granted {
                weight,
                since: UNKNOWN,
            } => return Some(Answer::Kept { weight }),
            Stage::Granted { weight, since } => Answer::Granted { weight, since },
            Stage::Refused(refusal) => Answer::Refused(refusal),
            _ => unreachable!("only waiters are polled here"),
        };
        *old = self.forget(key);
        Some(answer)
    }

    /// Refuses a waiter whose deadline has come; one that has its answer keeps
    /// it. Since it is being polled it need not be woken: its waker comes
    /// back, to be dropped unlocked.
    pub(crate) fn expire(&mut self, key: Key, now: u64) -> Option<Waker> {
        if self.line.deadline(key)? > now {
            return None;
        }
        let waker = self.line.nodes.get_mut(key).waker.take();
        self.refuse(key, Reason::QueueTimeout, now);
        self.grant(now);
        waker
    }

    /// Frees the place of a waiter that was dropped, or passes on what it was
    /// granted. Its waker comes back, to be dropped unlocked.
    #[inline]
    pub(crate) fn cancel(
        &mut self,
        key: Key,
        now: Option<u64>,
    ) -> Result<Option<Waker>, NeedsClock> {
        let now = self.time(now)?;
        match self.line.nodes.get(key).stage {
            Stage::Waiting { .. } => {
                let was_head = self.line.head() == Some(key);
                self.line.leave(key);
                let waker = self.line.nodes.remove(key);
                if was_head {
                    self.grant(now);
                }
                Ok(waker)
            }
            Stage::Granted { weight, .. } => {
                let waker = self.forget(key);
                self.room.in_flight -= u64::from(weight);
                self.grant(now);
                Ok(waker)
            }
            _ => Ok(self.forget(key)),
        }
    }

    /// Whether `key` waits, and its leaving lets in at most whoever is next:
    /// the line stays neither empty nor full, and nobody is late.
    #[inline]
    pub(crate) fn is_one_of_many(&self, key: Key) -> bool {
        let waits = matches!(self.line.nodes.get(key).stage, Stage::Waiting { .. });
        waits && self.line.queued() > 1 && !self.is_full() && !self.line.is_timed()
    }

    /// Whether whoever is next fits while the word is `word`.
    #[inline]
    pub(crate) fn has_room_for_head(&self, word: Word) -> bool {
        let head = self.line.head();
        head.is_some_and(|head| Room::new(word).fits(self.line.weight(head).into()))
    }

    pub(crate) fn settle(&mut self) {
        debug_assert!(!self.line.is_timed());
        self.grant(0);
    }

    /// Frees the place of one of many.
    #[inline]
    pub(crate) fn leave(&mut self, key: Key) -> Option<Waker> {
        self.line.leave(key);
        self.line.nodes.remove(key)
    }

    #[inline]
    pub(crate) fn is_granted(&self, key: Key) -> bool {
        matches!(self.line.nodes.get(key).stage, Stage::Granted { .. })
    }

    /// Raising grants to as many as now fit; lowering takes nothing back.
    pub(crate) fn set_limit(&mut self, limit: u64, now: Option<u64>) -> Result<(), NeedsClock> {
        let now = self.time(now)?;
        self.room.limit = limit;
        self.grant(now);
        Ok(())
    }

    /// Answers all who wait, as they stand in the line, and all who come later.
    pub(crate) fn close(&mut self, now: u64) {
        self.closed = true;
        while let Some(head) = self.line.head() {
            self.refuse(head, Reason::Closed, now);
        }
        self.drain();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Remembers who waits for the gate to drain, unless it is drained.
    pub(crate) fn watch(&mut self, waker: &mut Option<Waker>) -> Option<Key> {
        if self.is_drained() {
            return None;
        }
        let key = self.line.nodes.insert(Stage::Watching);
        self.line.nodes.get_mut(key).waker = waker.take();
        self.watchers.push_back(&mut self.line.nodes, key);
        Some(key)
    }

    /// Whether the gate has drained since [`watch`](Self::watch); else keeps
    /// the new waker. One that is no longer wanted comes back.
    pub(crate) fn poll_watcher(
        &mut self,
        key: Key,
        waker: &mut Option<Waker>,
    ) -> (bool, Option<Waker>) {
        let node = self.line.nodes.get_mut(key);
        if matches!(node.stage, Stage::Watching) {
            return (false, std::mem::replace(&mut node.waker, waker.take()));
        }
        (true, self.forget(key))
    }

    pub(crate) fn unwatch(&mut self, key: Key) -> Option<Waker> {
        if matches!(self.line.nodes.get(key).stage, Stage::Watching) {
            self.watchers.remove(&mut self.line.nodes, key);
            return self.line.nodes.remove(key);
        }
        self.forget(key)
    }

    /// Lets those who were answered know of it, for which the word has to be
    /// as they left it; returns the waker of the first, since mostly there is
    /// no other.
    #[inline]
    pub(crate) fn announce(&mut self, grants: &Grants) -> Option<Waker> {
        let mut first = None;
        while let Some(key) = self.decided.pop_front(&mut self.line.nodes) {
            let node = self.line.nodes.get_mut(key);
            if let Stage::Granted {
                weight,
                since: UNKNOWN,
            } = node.stage
            {
                grants.set(key, weight);
            }
            if first.is_none() {
                first = node.waker.take();
            } else if node.waker.is_some() {
                self.answered.push_back(&mut self.line.nodes, key);
            }
        }
        first
    }

    /// The waker of another who has an answer.
    pub(crate) fn next_waker(&mut self) -> Option<Waker> {
        let key = self.answered.pop_front(&mut self.line.nodes)?;
        self.line.nodes.get_mut(key).waker.take()
    }

    #[inline]
    pub(crate) fn has_wakers(&self) -> bool {
        !self.answered.is_empty()
    }

    pub(crate) fn queued(&self) -> u32 {
        self.line.queued()
    }

    pub(crate) fn levels(&self) -> impl Iterator<Item = (i32, u32)> {
        self.line.levels()
    }

    /// The word that tells the others how things stand.
    #[inline]
    pub(crate) fn word(&self) -> Word {
        self.debug_check();
        let mark = if self.closed || !self.watchers.is_empty() {
            Mark::Shut
        } else if self.line.queued() == 0 {
            Mark::Free
        } else if self.is_full() {
            Mark::LineFull
        } else {
            Mark::Line
        };
        self.room.word(mark)
    }

    /// Whom a full line refuses, as [`Threshold`] says it.
    #[inline]
    pub(crate) fn threshold(&self) -> u64 {
        if self.line.queued() == 0 || !self.is_full() {
            return Threshold::OPEN;
        }
        if !self.rules.by_priority {
            let oldest = self.line.oldest_if_timed();
            return oldest.map_or(Threshold::SHUT, |(_, deadline)| deadline);
        }
        match self.line.newest_of_lowest() {
            Some((lowest, _)) if !self.line.is_timed() => Threshold::rank(lowest) + 1,
            _ => Threshold::OPEN,
        }
    }

    fn debug_check(&self) {
        debug_assert!(
            self.line
                .head()
                .is_none_or(|head| { !self.room.fits(self.line.weight(head).into()) }),
            "there is room for the head of the line"
        );
        debug_assert!(self.line.queued() <= self.rules.places());
        debug_assert!(!self.closed || self.line.queued() == 0);
        debug_assert!(self.watchers.is_empty() || !self.is_drained());
    }

    /// Why no amount of waiting would help.
    #[inline]
    fn hopeless(&self, ticket: Ticket) -> Option<Reason> {
        if self.closed {
            Some(Reason::Closed)
        } else if u64::from(ticket.weight()) > self.rules.heaviest(self.room.limit) {
            Some(Reason::TooHeavy)
        } else if ticket.max_wait_nanos() == 0 {
            Some(Reason::QueueTimeout)
        } else {
            None
        }
    }

    #[inline]
    fn admit(&mut self, priority: i32, weight: u64) -> bool {
        let admitted = self.line.is_ahead(priority) && self.room.fits(weight);
        if admitted {
            self.room.in_flight += weight;
        }
        admitted
    }

    /// Grants to whoever is next and fits, and refuses those who are next and
    /// too late. `now` only counts if somebody has a deadline.
    #[inline]
    fn grant(&mut self, now: u64) {
        while let Some(head) = self.line.head() {
            if self
                .line
                .deadline(head)
                .is_some_and(|deadline| now >= deadline)
            {
                self.refuse(head, Reason::QueueTimeout, now);
                continue;
            }
            let weight = self.line.weight(head);
            if !self.room.fits(weight.into()) {
                return;
            }
            self.room.in_flight += u64::from(weight);
            let since = self.line.leave(head);
            self.answer(head, Stage::Granted { weight, since });
        }
        self.drain();
    }

    /// The oldest first, up to the first whose time has not come.
    fn refuse_expired(&mut self, now: u64) {
        while let Some((oldest, deadline)) = self.line.oldest_if_timed() {
            if now < deadline {
                break;
            }
            self.refuse(oldest, Reason::QueueTimeout, now);
        }
        self.grant(now);
    }

    fn refuse(&mut self, key: Key, reason: Reason, now: u64) {
        let since = self.line.leave(key);
        let refusal = self.refusal(reason).after(now.saturating_sub(since));
        self.answer(key, Stage::Refused(refusal));
    }

    #[inline]
    fn answer(&mut self, key: Key, stage: Stage) {
        self.line.nodes.get_mut(key).stage = stage;
        self.decided.push_back(&mut self.line.nodes, key);
    }

    /// Removes a node that has its answer.
    #[inline]
    fn forget(&mut self, key: Key) -> Option<Waker> {
        if self.line.nodes.get(key).waker.is_some() {
            self.answered.remove(&mut self.line.nodes, key);
        }
        self.line.nodes.remove(key)
    }

    #[inline]
    fn drain(&mut self) {
        if !self.watchers.is_empty() && self.is_drained() {
            while let Some(watcher) = self.watchers.pop_front(&mut self.line.nodes) {
                self.answer(watcher, Stage::Drained);
            }
        }
    }

    #[inline]
    fn is_drained(&self) -> bool {
        self.room.in_flight == 0 && self.line.queued() == 0
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.line.queued() >= self.rules.places()
    }

    #[inline]
    fn evictable_by(&self, priority: i32) -> Option<Key> {
        let (lowest, newest) = self.line.newest_of_lowest()?;
        (priority > lowest).then_some(newest)
    }

    #[inline]
    fn priority(&self, ticket: Ticket) -> i32 {
        if self.rules.by_priority {
            ticket.priority()
        } else {
            0
        }
    }

    /// The time, if it matters.
    #[inline]
    fn time(&self, now: Option<u64>) -> Result<u64, NeedsClock> {
        match now {
            Some(now) => Ok(now),
            None if !self.line.is_timed() => Ok(0),
            None => Err(NeedsClock),
        }
    }

    fn refused(&self, reason: Reason) -> Verdict {
        Verdict::Refused(self.refusal(reason))
    }

    fn refusal(&self, reason: Reason) -> Refusal {
        let word = self.room.word(Mark::Free);
        Refusal::new(reason, word, self.line.queued())
    }
}

/// When somebody joined the line whom nobody will ask: later than any time, so
/// that the wait comes out as none.
pub(crate) const UNKNOWN: u64 = u64::MAX;
