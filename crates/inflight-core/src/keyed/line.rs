use std::collections::VecDeque;
use std::task::Waker;

use super::account::Account;
use super::deadlines::Deadlines;
use super::decision::Claim;
use super::entry::{Entry, Standing};
use super::fairness::Fairness;
use super::home::Home;
use super::order::Order;
use super::slots::Slots;
use super::tenant::Tenant;
use super::waiting::{Place, Since, Stage, Waiting};
use crate::Refusal;

/// Who waits, of all keys, and who has an answer that it has not fetched.
///
/// # Invariants
///
/// 1. The waiters that are `Queued` are exactly those in the lines of the
///    tenants; `queued` of them.
/// 2. `deadlines` holds those that have one.
/// 3. A tenant of whom nobody waits is on `leaving`, and there once.
pub(super) struct Line {
    tenants: Slots<Tenant>,
    leaving: Vec<u32>,
    order: Order,
    waiters: Slots<Waiting>,
    deadlines: Deadlines,
    queued: u32,
    arrivals: u64,
    /// Of those who have an answer and are to be woken.
    wakers: VecDeque<Waker>,
}

/// What a waiter is told.
pub(super) enum Answer {
    Granted {
        home: Home,
        weight: u32,
        since: Since,
    },
    Refused(Refusal),
    Pending {
        deadline: u64,
    },
}

impl Line {
    pub(super) fn new(fairness: Fairness) -> Self {
        Self {
            tenants: Slots::keeping(KEPT),
            leaving: Vec::new(),
            order: Order::new(fairness),
            waiters: Slots::keeping(KEPT),
            deadlines: Deadlines::default(),
            queued: 0,
            arrivals: 0,
            wakers: VecDeque::new(),
        }
    }

    /// Takes a key's account over, if it does not have it yet, until nobody of
    /// it waits. From now on that keeps the entry.
    pub(super) fn seat<K>(&mut self, entry: &mut Entry<K>, home: Home) -> u32 {
        match entry.standing {
            Standing::Lined(id) => id,
            Standing::Alone(account) => {
                let id = self.tenants.insert(Tenant::new(home, account));
                self.may_leave(id);
                entry.standing = Standing::Lined(id);
                id
            }
        }
    }

    /// Lets go of a tenant of whom nobody waits, if there is one.
    pub(super) fn unseat(&mut self) -> Option<(Home, Account)> {
        while let Some(id) = self.leaving.pop() {
            let tenant = self.tenants.get_mut(id);
            tenant.may_leave = false;
            if tenant.is_empty() {
                debug_assert!(tenant.rank.is_none(), "nobody waits for the total");
                let Tenant { home, account, .. } = self.tenants.remove(id);
                return Some((home, account));
            }
        }
        self.leaving.shrink_to(KEPT);
        None
    }

    /// Takes the last place of its priority in a tenant's line.
    pub(super) fn join(&mut self, id: u32, claim: &Claim) -> u32 {
        self.arrivals += 1;
        let place = Place {
            tenant: id,
            priority: claim.priority,
            arrival: self.arrivals,
            weight: claim.weight,
            deadline: claim.deadline,
            since: claim.since,
        };
        let waiter = self.waiters.insert(Waiting::new(place));
        let members = &mut self.tenants.get_mut(id).members;
        members.join(&mut self.waiters, waiter, &place);
        self.deadlines.join(waiter, &place);
        self.queued += 1;
        waiter
    }

    /// Gives a place up. The waiter stays; what it becomes is the caller's to
    /// say, and so is the tenant's [`place`](Self::place).
    pub(super) fn leave(&mut self, waiter: u32) -> Place {
        let place = *self.waiters.get(waiter).place();
        let tenant = self.tenants.get_mut(place.tenant);
        tenant.members.leave(&mut self.waiters, waiter, &place);
        if tenant.is_empty() {
            self.may_leave(place.tenant);
        }
        self.deadlines.leave(waiter, &place);
        self.queued -= 1;
        place
    }

    /// Tells a waiter that has left what became of it.
    pub(super) fn answer(&mut self, waiter: u32, stage: Stage) {
        let waiting = self.waiters.get_mut(waiter);
        waiting.stage = stage;
        self.wakers.extend(waiting.waker.take());
    }

    pub(super) fn forget(&mut self, waiter: u32) {
        self.waiters.remove(waiter);
    }

    /// Looks for a waiter's answer and keeps its waker where there is none;
    /// `None` if that has to be cloned first. A waker that is no longer wanted
    /// is left in `old`, to be dropped unlocked.
    pub(super) fn poll(
        &mut self,
        waiter: u32,
        waker: &Waker,
        new: &mut Option<Waker>,
        old: &mut Option<Waker>,
    ) -> Option<Answer> {
        let waiting = self.waiters.get_mut(waiter);
        let answer = match waiting.stage {
            Stage::Queued(Place { deadline, .. }) => {
                if new.is_some() {
                    *old = std::mem::replace(&mut waiting.waker, new.take());
                } else if !waiting.will_wake(waker) {
                    return None;
                }
                return Some(Answer::Pending { deadline });
            }
            Stage::Granted {
                home,
                weight,
                since,
            } => Answer::Granted {
                home,
                weight,
                since,
            },
            Stage::Refused(refusal) => Answer::Refused(refusal),
        };
        self.forget(waiter);
        Some(answer)
    }

    /// Gives a tenant the place in the order that is due to it now.
    pub(super) fn place(&mut self, id: u32) {
        let tenant = self.tenants.get(id);
        let head = tenant.members.head();
        let head = head.map(|head| self.waiters.get(head).place());
        let next = head.filter(|head| tenant.account.fits(head.weight));
        let arrival = next.map(|next| next.arrival);
        self.order.place(&mut self.tenants, id, arrival);
    }

    /// The tenant that gets the next slot of the total.
    pub(super) fn first(&self) -> Option<u32> {
        self.order.first(&self.tenants)
    }

    /// Whether an arrival that is next of its key is next of all.
    pub(super) fn would_lead(&self, id: u32) -> bool {
        self.order.would_lead(&self.tenants, id)
    }

    /// Takes what a tenant is given into account, if there are others to be
    /// fair to.
    pub(super) fn charge(&mut self, id: u32, weight: u32) {
        if self.first().is_some() {
            self.order.charge(&mut self.tenants, id, weight);
        }
    }

    pub(super) fn waiting(&mut self, waiter: u32) -> &mut Waiting {
        self.waiters.get_mut(waiter)
    }

    pub(super) fn tenant(&self, id: u32) -> &Tenant {
        self.tenants.get(id)
    }

    /// Whether this is the tenant whose entry lies at `home`.
    pub(super) fn is_at(&self, id: u32, home: Home) -> bool {
        let tenant = self.tenants.find(id);
        tenant.is_some_and(|tenant| tenant.home == home)
    }

    /// Who is next of a tenant.
    pub(super) fn head(&self, id: u32) -> Option<(u32, &Place)> {
        let head = self.tenants.get(id).members.head()?;
        Some((head, self.waiters.get(head).place()))
    }

    /// Whether it is its own limit that a tenant's next caller waits for.
    pub(super) fn is_blocked(&self, id: u32) -> bool {
        let account = &self.tenants.get(id).account;
        self.head(id)
            .is_some_and(|(_, head)| !account.fits(head.weight))
    }

    /// One of a tenant whose time has come.
    pub(super) fn late_of(&self, id: u32, now: u64) -> Option<u32> {
        self.tenants.get(id).members.late(&self.waiters, now)
    }

    pub(super) fn account_mut(&mut self, id: u32) -> &mut Account {
        &mut self.tenants.get_mut(id).account
    }

    /// Whether anybody has a deadline.
    pub(super) fn is_timed(&self) -> bool {
        !self.deadlines.is_empty()
    }

    /// One whose time has come.
    pub(super) fn late(&self, now: u64) -> Option<u32> {
        self.deadlines.late(now)
    }

    /// All who wait, the oldest first.
    pub(super) fn by_arrival(&self) -> Vec<u32> {
        let mut queued: Vec<_> = self
            .waiters
            .iter()
            .filter_map(|(waiter, waiting)| match &waiting.stage {
                Stage::Queued(place) => Some((place.arrival, waiter)),
                _ => None,
            })
            .collect();
        queued.sort_unstable();
        queued.into_iter().map(|(_, waiter)| waiter).collect()
    }

    pub(super) fn queued(&self) -> u32 {
        self.queued
    }

    /// The waker of one who has an answer, or of one who watches.
    pub(super) fn next_waker(&mut self) -> Option<Waker> {
        let waker = self.wakers.pop_front();
        if self.wakers.is_empty() {
            self.wakers.shrink_to(KEPT);
        }
        waker
    }

    pub(super) fn has_wakers(&self) -> bool {
        !self.wakers.is_empty()
    }

    pub(super) fn add_wakers(&mut self, wakers: impl Iterator<Item = Waker>) {
        self.wakers.extend(wakers);
    }

    /// Whether nobody waits, and nothing is left of those who did.
    pub(super) fn is_settled(&self) -> bool {
        self.leaving.is_empty() && (self.queued > 0 || self.tenants.is_empty())
    }

    fn may_leave(&mut self, id: u32) {
        let tenant = self.tenants.get_mut(id);
        if !tenant.may_leave {
            tenant.may_leave = true;
            self.leaving.push(id);
        }
    }
}

/// Enough for a small crowd that comes and goes.
const KEPT: usize = 64;
