use std::collections::BTreeMap;
use std::time::Duration;

use inflight_core::{Fairness, KeyOverflow, KeyPlan, KeyedOptions, Limit, Reason, Ticket};

use crate::answer::{Answer, Facts};
use crate::caller::Caller;
use crate::gate::{Key, plan};
use crate::turns::Turns;

/// What a keyed gate should do, with one list in order of arrival; the limit of
/// the options is the one in force.
pub(crate) struct Model {
    pub(crate) options: KeyedOptions,
    pub(crate) odd: KeyPlan,
    pub(crate) in_flight: usize,
    pub(crate) keys: BTreeMap<Name, Account>,
    pub(crate) closed: bool,
    pub(crate) line: Vec<Caller>,
    /// Of the line, in the order in which it was decided.
    pub(crate) answers: Vec<(Caller, Answer)>,
    pub(crate) turns: Turns,
}

/// What a call counts under: its key, or what those share who are too many.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Name {
    Own(Key),
    Shared,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Account {
    pub(crate) limit: usize,
    pub(crate) in_flight: usize,
    pub(crate) share: u32,
}

impl Model {
    pub(crate) fn new(options: KeyedOptions, odd: KeyPlan) -> Self {
        let mut model = Self {
            options,
            odd,
            in_flight: 0,
            keys: BTreeMap::new(),
            closed: false,
            line: Vec::new(),
            answers: Vec::new(),
            turns: Turns::default(),
        };
        model.set_limit(options.limit, 0);
        model
    }

    pub(crate) fn arrive(
        &mut self,
        id: usize,
        key: Key,
        ticket: Ticket,
        waits: bool,
        now: u64,
    ) -> Answer {
        let weight = ticket.weight() as usize;
        let is_hasty = ticket.max_wait() == Some(Duration::ZERO);
        let Some(name) = self.name(key) else {
            return self.refused_in_the_crowd(weight, is_hasty);
        };
        let caller = Caller::new(id, name, ticket, &self.options, now);
        let account = self.plan_of(name).into();
        self.keys.entry(name).or_insert(account);
        let answer = if self.closed {
            self.refused(Reason::Closed, None, 0)
        } else if weight > self.max_limit().get() {
            self.refused(Reason::TooHeavy, None, 0)
        } else if weight > self.keys[&name].limit {
            self.refused(Reason::TooHeavy, Some(name), 0)
        } else if is_hasty {
            self.refused(Reason::QueueTimeout, None, 0)
        } else {
            self.let_in_or_queue(caller, waits, now)
        };
        self.forget();
        answer
    }

    fn let_in_or_queue(&mut self, caller: Caller, waits: bool, now: u64) -> Answer {
        let name = caller.name;
        let (places, key_places) = (self.options.queue_limit, self.options.key_queue_limit);
        let waits = waits && places > 0 && key_places > 0;
        let may_clear = waits || self.queued(name) > 0 || self.fits_key(name, caller.weight);
        if self.admits(&caller) || may_clear && self.refuse_late(name, now) && self.admits(&caller)
        {
            self.take(name, caller.weight);
            self.settle(name, now);
            self.grant(now);
            return Answer::Granted(caller.weight);
        }
        if !waits {
            return if self.is_blocked(name) || !self.fits_key(name, caller.weight) {
                self.refused(Reason::KeyLimit, Some(name), 0)
            } else {
                self.refused(Reason::TotalLimit, None, 0)
            };
        }
        let key_full = self.queued(name) >= key_places;
        if key_full || self.line.len() >= places {
            let of_key = key_full.then_some(name);
            let reason = if key_full {
                Reason::KeyQueueFull
            } else {
                Reason::TotalQueueFull
            };
            match self.newest_below(name, caller.priority) {
                None => return self.refused(reason, of_key, 0),
                Some(at) => self.refuse(at, Reason::QueueEvicted, of_key, now),
            }
        }
        self.line.push(caller);
        self.settle(name, now);
        self.grant(now);
        if self.line.iter().any(|other| other.id == caller.id) {
            return Answer::Queued;
        }
        let at = self
            .answers
            .iter()
            .position(|(other, _)| other.id == caller.id);
        let at = at.expect("who is not in the line has an answer");
        self.answers.remove(at).1
    }

    pub(crate) fn release(&mut self, name: Name, weight: usize, now: u64) {
        self.in_flight -= weight;
        self.account(name).in_flight -= weight;
        self.settle(name, now);
        self.grant(now);
        self.forget();
    }

    pub(crate) fn leave(&mut self, at: usize, now: u64) {
        let name = self.line.remove(at).name;
        self.settle(name, now);
        self.grant(now);
        self.forget();
    }

    pub(crate) fn expire(&mut self, at: usize, now: u64) {
        let name = self.line[at].name;
        self.time_out(at, now);
        self.settle(name, now);
        self.grant(now);
        self.forget();
    }

    pub(crate) fn set_limit(&mut self, limit: Limit, now: u64) {
        self.options.limit = self.options.max_limit.map_or(limit, |max| max.min(limit));
        self.grant(now);
        self.forget();
    }

    pub(crate) fn set_key_limit(&mut self, key: Key, limit: Limit, now: u64) -> bool {
        let name = Name::Own(key);
        let Some(account) = self.keys.get_mut(&name) else {
            return false;
        };
        account.limit = limit.get();
        if self.queued(name) > 0 {
            self.settle(name, now);
            self.grant(now);
        }
        self.forget();
        true
    }

    pub(crate) fn close(&mut self, now: u64) {
        self.closed = true;
        while !self.line.is_empty() {
            let name = self.line[0].name;
            self.refuse(0, Reason::Closed, None, now);
            self.turns.place(name, self.can_use_room(name));
        }
        self.forget();
    }

    pub(crate) fn max_limit(&self) -> Limit {
        self.options.max_limit.unwrap_or(self.options.limit)
    }

    pub(crate) fn own_keys(&self) -> usize {
        let names = self.keys.keys();
        names.filter(|name| matches!(name, Name::Own(_))).count()
    }

    pub(crate) fn queued(&self, name: Name) -> usize {
        self.line
            .iter()
            .filter(|caller| caller.name == name)
            .count()
    }

    pub(crate) fn fits(&self, weight: usize) -> bool {
        self.in_flight == 0 || self.in_flight + weight <= self.options.limit.get()
    }

    pub(crate) fn is_blocked(&self, name: Name) -> bool {
        self.head(name)
            .is_some_and(|head| !self.fits_key(name, self.line[head].weight))
    }

    /// Where a call under `key` counts, if there is place.
    fn name(&self, key: Key) -> Option<Name> {
        let own = Name::Own(key);
        if self.keys.contains_key(&own) || self.own_keys() < self.options.max_keys {
            return Some(own);
        }
        matches!(self.options.overflow, KeyOverflow::Share(_)).then_some(Name::Shared)
    }

    fn plan_of(&self, name: Name) -> KeyPlan {
        match (name, self.options.overflow) {
            (Name::Own(key), _) => plan(key, self.options.key, self.odd),
            (Name::Shared, KeyOverflow::Share(plan)) => plan,
            (Name::Shared, _) => unreachable!("nothing is shared"),
        }
    }

    fn refused_in_the_crowd(&self, weight: usize, is_hasty: bool) -> Answer {
        if self.closed {
            self.refused(Reason::Closed, None, 0)
        } else if weight > self.max_limit().get() {
            self.refused(Reason::TooHeavy, None, 0)
        } else if is_hasty {
            self.refused(Reason::QueueTimeout, None, 0)
        } else {
            Answer::Refused(Facts {
                reason: Reason::TooManyKeys,
                of_key: false,
                limit: self.options.max_keys,
                in_flight: self.options.max_keys,
                queued: 0,
                waited: Duration::ZERO,
            })
        }
    }

    fn head(&self, name: Name) -> Option<usize> {
        let of_name = |caller: &&Caller| caller.name == name;
        let priorities = self.line.iter().filter(of_name);
        let highest = priorities.map(|caller| caller.priority).max()?;
        self.line
            .iter()
            .position(|one| one.name == name && one.priority == highest)
    }

    fn newest_below(&self, name: Name, priority: i32) -> Option<usize> {
        let of_name = |caller: &&Caller| caller.name == name;
        let priorities = self.line.iter().filter(of_name);
        let lowest = priorities.map(|caller| caller.priority).min()?;
        self.line
            .iter()
            .rposition(|one| one.name == name && one.priority == lowest && lowest < priority)
    }

    fn fits_key(&self, name: Name, weight: usize) -> bool {
        let account = self.keys[&name];
        account.in_flight == 0 || account.in_flight + weight <= account.limit
    }

    fn can_use_room(&self, name: Name) -> bool {
        self.head(name).is_some() && !self.is_blocked(name)
    }

    /// Whose turn it is: of those who can use room.
    fn first(&self) -> Option<Name> {
        if self.options.fairness == Fairness::RoundRobin {
            return self.turns.first();
        }
        let names = self.keys.keys().copied();
        names
            .filter(|name| self.can_use_room(*name))
            .min_by_key(|name| self.head(*name))
    }

    fn would_lead(&self, name: Name) -> bool {
        if self.options.fairness == Fairness::RoundRobin {
            return self.turns.would_lead(name);
        }
        let mut others = self.keys.keys().filter(|other| **other != name);
        others.all(|other| !self.can_use_room(*other))
    }

    fn admits(&self, caller: &Caller) -> bool {
        let passes = |other: &Caller| other.name != caller.name || other.priority < caller.priority;
        self.line.iter().all(passes)
            && self.fits_key(caller.name, caller.weight)
            && self.fits(caller.weight)
            && self.would_lead(caller.name)
    }

    fn take(&mut self, name: Name, weight: usize) {
        let keys = &self.keys;
        self.turns.charge(name, weight, |name| keys[&name].share);
        self.account(name).in_flight += weight;
        self.in_flight += weight;
    }

    fn settle(&mut self, name: Name, now: u64) {
        while let Some(head) = self.head(name) {
            if !self.line[head].is_late(now) {
                break;
            }
            self.time_out(head, now);
        }
        self.turns.place(name, self.can_use_room(name));
    }

    fn grant(&mut self, now: u64) {
        while let Some(name) = self.first() {
            let head = self.head(name).expect("somebody could use room");
            let caller = self.line[head];
            if !caller.is_late(now) {
                if !self.fits(caller.weight) {
                    return;
                }
                self.take(name, caller.weight);
                self.line.remove(head);
                self.answers.push((caller, Answer::Granted(caller.weight)));
            }
            self.settle(name, now);
        }
    }

    /// All of the key's line, then all of the whole line, where there is no
    /// place left; whether there were any.
    fn refuse_late(&mut self, name: Name, now: u64) -> bool {
        let before = self.line.len();
        if self.queued(name) >= self.options.key_queue_limit {
            while let Some(late) = self.soonest_late(now, |caller| caller.name == name) {
                self.time_out(late, now);
            }
            self.settle(name, now);
        }
        if self.line.len() >= self.options.queue_limit {
            while let Some(late) = self.soonest_late(now, |_| true) {
                let name = self.line[late].name;
                self.time_out(late, now);
                self.settle(name, now);
            }
        }
        self.grant(now);
        self.line.len() < before
    }

    fn soonest_late(&self, now: u64, is_meant: impl Fn(&Caller) -> bool) -> Option<usize> {
        let late = |at: &usize| is_meant(&self.line[*at]) && self.line[*at].is_late(now);
        (0..self.line.len())
            .filter(late)
            .min_by_key(|at| self.line[*at].deadline)
    }

    fn time_out(&mut self, at: usize, now: u64) {
        let name = self.line[at].name;
        let of_key = self.is_blocked(name).then_some(name);
        self.refuse(at, Reason::QueueTimeout, of_key, now);
    }

    fn refuse(&mut self, at: usize, reason: Reason, of_key: Option<Name>, now: u64) {
        let caller = self.line.remove(at);
        let answer = self.refused(reason, of_key, now.saturating_sub(caller.since));
        self.answers.push((caller, answer));
    }

    fn refused(&self, reason: Reason, of_key: Option<Name>, waited: u64) -> Answer {
        let (limit, in_flight, queued) = match of_key {
            Some(name) => {
                let account = self.keys[&name];
                (account.limit, account.in_flight, self.queued(name))
            }
            None => (self.options.limit.get(), self.in_flight, self.line.len()),
        };
        Answer::Refused(Facts {
            reason,
            of_key: of_key.is_some(),
            limit,
            in_flight,
            queued,
            waited: Duration::from_nanos(waited),
        })
    }

    fn account(&mut self, name: Name) -> &mut Account {
        self.keys
            .get_mut(&name)
            .expect("something is under the key")
    }

    /// A key is gone with the last that runs or waits under it.
    fn forget(&mut self) {
        let line = &self.line;
        let turns = &mut self.turns;
        self.keys.retain(|name, account| {
            let stays = account.in_flight > 0 || line.iter().any(|caller| caller.name == *name);
            if !stays {
                turns.forget(*name);
            }
            stays
        });
    }
}

impl From<KeyPlan> for Account {
    fn from(plan: KeyPlan) -> Self {
        Self {
            limit: plan.limit.get(),
            in_flight: 0,
            share: plan.share.get(),
        }
    }
}
