use std::task::Waker;

use super::{NeedsClock, State, UNKNOWN};
use crate::Reason;
use crate::grants::Grants;
use crate::line::{Key, Stage};

/// What is handed on, to whom, and how they learn of it.
impl State {
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

    /// Grants to whoever is next and fits, and refuses those who are next and
    /// too late. `now` only counts if somebody has a deadline.
    #[inline]
    pub(super) fn grant(&mut self, now: u64) {
        while let Some(head) = self.line.head() {
            if self.is_late(head, now) {
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
            // Nobody else fits, nor is late: whoever is next need not be touched.
            if self.room.is_taken() && !self.line.is_timed() {
                return;
            }
        }
        self.drain();
    }

    #[inline]
    fn is_late(&self, key: Key, now: u64) -> bool {
        let is_over = |deadline| now >= deadline;
        self.line.is_timed() && self.line.deadline(key).is_some_and(is_over)
    }

    /// The oldest first, up to the first whose time has not come.
    pub(super) fn refuse_expired(&mut self, now: u64) {
        while let Some((oldest, deadline)) = self.line.oldest_if_timed() {
            if now < deadline {
                break;
            }
            self.refuse(oldest, Reason::QueueTimeout, now);
        }
        self.grant(now);
    }

    pub(super) fn refuse(&mut self, key: Key, reason: Reason, now: u64) {
        let since = self.line.leave(key);
        let refusal = self.refusal(reason).after(now.saturating_sub(since));
        self.answer(key, Stage::Refused(refusal));
    }

    #[inline]
    fn answer(&mut self, key: Key, stage: Stage) {
        self.line.nodes.get_mut(key).stage = stage;
        self.decided.push_back(&mut self.line.nodes, key);
    }

    /// Lets those who were answered know of it, for which the word has to be
    /// as they left it; returns the waker of the first, since mostly there is
    /// no other.
    #[inline]
    pub(crate) fn announce(&mut self, grants: &Grants) -> Option<Waker> {
        let key = self.decided.pop_front(&mut self.line.nodes)?;
        let first = self.tell(key, grants).take();
        if self.decided.is_empty() {
            return first;
        }
        self.announce_rest(first, grants)
    }

    #[cold]
    fn announce_rest(&mut self, mut first: Option<Waker>, grants: &Grants) -> Option<Waker> {
        while let Some(key) = self.decided.pop_front(&mut self.line.nodes) {
            let waker = self.tell(key, grants);
            if first.is_none() {
                first = waker.take();
            } else if waker.is_some() {
                self.answered.push_back(&mut self.line.nodes, key);
            }
        }
        first
    }

    /// Lets one who was answered see it, and returns the waker that is to be
    /// woken.
    #[inline]
    fn tell(&mut self, key: Key, grants: &Grants) -> &mut Option<Waker> {
        let node = self.line.nodes.get_mut(key);
        if let Stage::Granted {
            weight,
            since: UNKNOWN,
        } = node.stage
        {
            grants.set(key, weight);
        }
        &mut node.waker
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

    /// Removes a node that has its answer.
    #[inline]
    pub(super) fn forget(&mut self, key: Key) -> Option<Waker> {
        if self.line.nodes.get(key).waker.is_some() {
            self.answered.remove(&mut self.line.nodes, key);
        }
        self.line.nodes.remove(key)
    }

    #[inline]
    pub(super) fn drain(&mut self) {
        if !self.watchers.is_empty() && self.is_drained() {
            while let Some(watcher) = self.watchers.pop_front(&mut self.line.nodes) {
                self.answer(watcher, Stage::Drained);
            }
        }
    }
}
