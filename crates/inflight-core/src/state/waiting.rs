use std::task::Waker;

use super::{NeedsClock, State, UNKNOWN};
use crate::line::{Key, Stage};
use crate::room::Room;
use crate::word::Word;
use crate::{Reason, Refusal};

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

/// What those who wait do.
impl State {
    /// Keeps the first waker of a waiter and says its deadline; the waker comes
    /// back if it has its answer.
    #[inline]
    pub(crate) fn keep_waker(&mut self, key: Key, waker: Waker) -> Result<u64, Waker> {
        let Some(deadline) = self.line.deadline(key) else {
            return Err(waker);
        };
        let node = self.line.nodes.get_mut(key);
        debug_assert!(node.waker.is_none(), "it is the first");
        node.waker = Some(waker);
        Ok(deadline)
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

    /// Frees the place of one of many.
    #[inline]
    pub(crate) fn leave(&mut self, key: Key) -> Option<Waker> {
        self.line.leave(key);
        self.line.nodes.remove(key)
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

    #[inline]
    pub(crate) fn is_granted(&self, key: Key) -> bool {
        matches!(self.line.nodes.get(key).stage, Stage::Granted { .. })
    }
}
