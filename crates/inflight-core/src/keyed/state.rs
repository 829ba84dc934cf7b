//! What the lock guards, and every decision that needs it: sequential code.
//!
//! # Invariants
//!
//! Between two turns of the lock:
//!
//! 1. The total's `in_flight` is the weight of the live permits and of the
//!    grants that nobody has fetched; each key's account says the same of the
//!    key.
//! 2. A tenant stands in the order iff its next caller fits the key's account,
//!    and is a tenant iff anybody of the key waits.
//! 3. The next caller of the first in the order does not fit the total.
//! 4. No more wait than there are places, and nobody at a closed gate.
//! 5. Nobody watches for the gate to drain while it is drained.

use std::task::Waker;

use super::home::Home;
use super::line::Line;
use super::refusals::Bound;
use super::rules::Rules;
use super::waiting::Stage;
use super::watchers::Watchers;
use crate::room::Room;
use crate::word::{State as Mark, Word};
use crate::{Limit, Reason};

pub(super) struct State {
    pub(super) rules: Rules,
    /// The total's numbers, while the lock's holder has the word sealed.
    pub(super) room: Room,
    pub(super) line: Line,
    pub(super) watchers: Watchers,
    pub(super) closed: bool,
}

impl State {
    pub(super) fn new(rules: Rules, word: Word) -> Self {
        Self {
            rules,
            room: Room::new(word),
            line: Line::new(rules.fairness),
            watchers: Watchers::new(),
            closed: false,
        }
    }

    /// Takes a permit back and hands it on; of the key's account only if that is
    /// a tenant's.
    pub(super) fn release(&mut self, tenant: Option<u32>, weight: u32, now: u64) {
        debug_assert!(
            self.room.in_flight >= u64::from(weight),
            "a permit came back twice"
        );
        self.room.in_flight -= u64::from(weight);
        if let Some(id) = tenant {
            self.line.account_mut(id).give_back(weight);
            self.settle(id, now);
        }
        self.grant(now);
    }

    /// Refuses a waiter whose deadline has come; one that has its answer keeps
    /// it. Since it is being polled it need not be woken: its waker comes
    /// back, to be dropped unlocked.
    pub(super) fn expire(&mut self, waiter: u32, now: u64) -> Option<Waker> {
        let waiting = self.line.waiting(waiter);
        let id = match &waiting.stage {
            Stage::Queued(place) if now >= place.deadline => place.tenant,
            _ => return None,
        };
        let waker = waiting.waker.take();
        self.time_out(waiter, id, now);
        self.settle(id, now);
        self.grant(now);
        waker
    }

    /// Forgets a waiter that was dropped: frees its place, or says whose grant
    /// is to be passed on. Its waker comes back, to be dropped unlocked.
    pub(super) fn withdraw(
        &mut self,
        waiter: u32,
        now: u64,
    ) -> (Option<(Home, u32)>, Option<Waker>) {
        let waiting = self.line.waiting(waiter);
        let waker = waiting.waker.take();
        let mut grant = None;
        match waiting.stage {
            Stage::Queued(place) => {
                self.line.leave(waiter);
                self.settle(place.tenant, now);
                self.grant(now);
            }
            Stage::Granted { home, weight, .. } => grant = Some((home, weight)),
            Stage::Refused(_) => {}
        }
        self.line.forget(waiter);
        (grant, waker)
    }

    /// Raising grants to as many as now fit; lowering takes nothing back.
    pub(super) fn set_limit(&mut self, limit: u64, now: u64) {
        self.room.limit = limit;
        self.grant(now);
    }

    /// The same of one key.
    pub(super) fn set_key_limit(&mut self, id: u32, limit: Limit, now: u64) {
        self.line.account_mut(id).set_limit(limit);
        self.settle(id, now);
        self.grant(now);
    }

    /// Answers all who wait, the oldest first, and all who come later.
    pub(super) fn close(&mut self, now: u64) {
        self.closed = true;
        for waiter in self.line.by_arrival() {
            let id = self.refuse(waiter, Reason::Closed, Bound::Total, now);
            if self.line.tenant(id).is_empty() {
                self.line.place(id);
            }
        }
        self.drain();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Remembers who waits for the gate to drain, unless it is drained.
    pub(super) fn watch(&mut self, waker: &mut Option<Waker>) -> Option<u32> {
        if self.is_drained() {
            return None;
        }
        waker.take().map(|waker| self.watchers.insert(waker))
    }

    /// The word that tells the others how things stand.
    pub(super) fn word(&self) -> Word {
        self.debug_check();
        let mark = if self.closed || self.watchers.is_watched() {
            Mark::Shut
        } else if self.line.first().is_none() {
            Mark::Free
        } else {
            Mark::Line
        };
        self.room.word(mark)
    }

    fn debug_check(&self) {
        debug_assert!(
            self.line.first().is_none_or(|first| {
                let head = self.line.head(first);
                head.is_some_and(|(_, head)| !self.room.fits(head.weight.into()))
            }),
            "there is room for whoever is next"
        );
        debug_assert!(self.line.is_settled(), "a key has not been given back");
        debug_assert!(self.line.queued() <= self.rules.places);
        debug_assert!(!self.closed || self.line.queued() == 0);
        debug_assert!(!self.watchers.is_watched() || !self.is_drained());
    }

    /// Refuses those who are next of a key and too late, and gives it the
    /// place in the order that is due to it.
    pub(super) fn settle(&mut self, id: u32, now: u64) {
        while let Some((waiter, head)) = self.line.head(id) {
            if now < head.deadline {
                break;
            }
            self.time_out(waiter, id, now);
        }
        self.line.place(id);
    }

    /// Grants to whoever is next and fits.
    pub(super) fn grant(&mut self, now: u64) {
        while let Some(id) = self.line.first() {
            let head = self.line.head(id);
            let (waiter, head) = head.expect("who stands in the order has a caller");
            let weight = head.weight;
            if now < head.deadline {
                if !self.room.fits(weight.into()) {
                    return;
                }
                self.take(id, weight);
                self.hand_over(waiter);
            }
            self.settle(id, now);
        }
        self.drain();
    }

    pub(super) fn take(&mut self, id: u32, weight: u32) {
        self.line.charge(id, weight);
        self.line.account_mut(id).take(weight);
        self.room.in_flight += u64::from(weight);
    }

    fn hand_over(&mut self, waiter: u32) {
        let place = self.line.leave(waiter);
        let stage = Stage::Granted {
            home: self.line.tenant(place.tenant).home,
            weight: place.weight,
            since: place.since,
        };
        self.line.answer(waiter, stage);
    }

    pub(super) fn time_out(&mut self, waiter: u32, id: u32, now: u64) {
        let bound = if self.line.is_blocked(id) {
            Bound::Key
        } else {
            Bound::Total
        };
        self.refuse(waiter, Reason::QueueTimeout, bound, now);
    }

    /// Says whose line it was.
    pub(super) fn refuse(&mut self, waiter: u32, reason: Reason, bound: Bound, now: u64) -> u32 {
        let place = self.line.leave(waiter);
        let refusal = self.refusal(reason, bound, place.tenant);
        let refusal = refusal.after(place.since.until(now));
        self.line.answer(waiter, Stage::Refused(refusal));
        place.tenant
    }

    fn drain(&mut self) {
        if self.watchers.is_watched() && self.is_drained() {
            self.line.add_wakers(self.watchers.end());
        }
    }

    fn is_drained(&self) -> bool {
        self.room.in_flight == 0 && self.line.queued() == 0
    }
}
