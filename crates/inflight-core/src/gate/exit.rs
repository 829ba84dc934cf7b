use std::task::Waker;

use super::Gate;
use super::timing::{now, timely};
use crate::Host;
use crate::claim::Claim;
use crate::line::Key;
use crate::state::{Answer, NeedsClock};
use crate::ticket::NO_DEADLINE;
use crate::turn::Turn;
use crate::wake::discard;
use crate::word::State as Mark;

impl Gate {
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
        timely(host, now, |now| self.release_in_turn(claim, now));
    }

    #[inline(never)]
    fn release_in_turn(&self, claim: Claim, now: Option<u64>) -> Result<(), NeedsClock> {
        let mut turn = self.begin();
        let waker = turn.release(claim.weight(), claim.node(), now);
        turn.end();
        waker.map(discard)
    }

    /// The weight that a waiter was granted, if it was and need not ask under
    /// the lock. It will not ask again.
    #[inline]
    pub(crate) fn fetch(&self, key: Key) -> Option<u32> {
        self.grants.fetch(key)
    }

    /// Gives a waiter's place up, or passes on what it was granted.
    #[inline(never)]
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
        let again = || {
            let now = now(host);
            self.cancel_in_turn(self.begin(), key, Some(now))
        };
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

    /// Keeps the first waker of a waiter and says its deadline; `None` if it has
    /// its answer.
    #[inline]
    pub(crate) fn keep_waker(&self, key: Key, waker: &Waker) -> Option<u64> {
        let waker = waker.clone();
        let kept = self.lock().keep_waker(key, waker);
        kept.map_err(|waker| discard(Some(waker))).ok()
    }

    /// Looks for a waiter's answer, without a turn: it changes nobody else's.
    #[inline(never)]
    pub(crate) fn poll(&self, key: Key, waker: &Waker) -> Answer {
        let mut new = None;
        loop {
            let mut old = None;
            let mut state = self.lock();
            let answer = state.poll(key, waker, &mut new, &mut old);
            drop(state);
            discard(old);
            if let Some(answer) = answer {
                if let Answer::Kept { .. } = answer {
                    self.grants.clear(key);
                }
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
}
