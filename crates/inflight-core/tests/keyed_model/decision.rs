use inflight_core::{Fairness, KeyOverflow, KeyPlan, Limit, Reason};

use crate::account::{Account, Name};
use crate::harness::answer::Answer;
use crate::harness::caller::Caller;
use crate::model::KeyedModel;

/// Who is let in, and who is not.
impl KeyedModel {
    pub(crate) fn let_in_or_queue(
        &mut self,
        caller: Caller<Name>,
        waits: bool,
        now: u64,
    ) -> Answer {
        let name = caller.name;
        let (places, key_places) = (
            self.total.options.queue_limit,
            self.setup.options.key_queue_limit,
        );
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
        if key_full || self.total.line.len() >= places {
            let of_key = key_full.then_some(name);
            let reason = if key_full {
                Reason::KeyQueueFull
            } else {
                Reason::TotalQueueFull
            };
            match self.total.newest_below(name, caller.priority) {
                None => return self.refused(reason, of_key, 0),
                Some(at) => self.refuse(at, Reason::QueueEvicted, of_key, now),
            }
        }
        self.total.line.push(caller);
        self.settle(name, now);
        self.grant(now);
        if self.total.line.iter().any(|other| other.id == caller.id) {
            return Answer::Queued;
        }
        let mut answers = self.total.answers.iter();
        let at = answers.position(|(other, _)| other.id == caller.id);
        let at = at.expect("who is not in the line has an answer");
        self.total.answers.remove(at).1
    }

    pub(crate) fn set_key_limit(&mut self, name: Name, limit: Limit, now: u64) -> bool {
        let Some(account) = self.keys.get_mut(&name) else {
            return false;
        };
        account.limit = limit.get();
        if self.queued(name) > 0 {
            self.settle(name, now);
            self.grant(now);
        }
        true
    }

    pub(crate) fn own_keys(&self) -> usize {
        let names = self.keys.keys();
        names.filter(|name| matches!(name, Name::Own(_))).count()
    }

    pub(crate) fn queued(&self, name: Name) -> usize {
        self.total
            .line
            .iter()
            .filter(|caller| caller.name == name)
            .count()
    }

    pub(crate) fn is_blocked(&self, name: Name) -> bool {
        self.total
            .head(name)
            .is_some_and(|head| !self.fits_key(name, self.total.line[head].weight))
    }

    fn fits_key(&self, name: Name, weight: usize) -> bool {
        let account = self.keys[&name];
        account.in_flight == 0 || account.in_flight + weight <= account.limit
    }

    pub(crate) fn can_use_room(&self, name: Name) -> bool {
        self.total.head(name).is_some() && !self.is_blocked(name)
    }

    /// Whose turn it is: of those who can use room.
    fn first(&self) -> Option<Name> {
        if self.setup.options.fairness == Fairness::RoundRobin {
            return self.turns.first();
        }
        let names = self.keys.keys().copied();
        names
            .filter(|name| self.can_use_room(*name))
            .min_by_key(|name| self.total.head(*name))
    }

    fn would_lead(&self, name: Name) -> bool {
        if self.setup.options.fairness == Fairness::RoundRobin {
            return self.turns.would_lead(name);
        }
        let mut others = self.keys.keys().filter(|other| **other != name);
        others.all(|other| !self.can_use_room(*other))
    }

    fn admits(&self, caller: &Caller<Name>) -> bool {
        let passes =
            |other: &Caller<Name>| other.name != caller.name || other.priority < caller.priority;
        self.total.line.iter().all(passes)
            && self.fits_key(caller.name, caller.weight)
            && self.total.fits(caller.weight)
            && self.would_lead(caller.name)
    }

    fn take(&mut self, name: Name, weight: usize) {
        let keys = &self.keys;
        self.turns.charge(name, weight, |name| keys[&name].share);
        self.account(name).in_flight += weight;
        self.total.in_flight += weight;
    }

    pub(crate) fn settle(&mut self, name: Name, now: u64) {
        while let Some(head) = self.total.head(name) {
            if !self.total.line[head].is_late(now) {
                break;
            }
            self.time_out(head, now);
        }
        self.turns.place(name, self.can_use_room(name));
    }

    pub(crate) fn grant(&mut self, now: u64) {
        while let Some(name) = self.first() {
            let head = self.total.head(name).expect("somebody could use room");
            let caller = self.total.line[head];
            if !caller.is_late(now) {
                if !self.total.fits(caller.weight) {
                    return;
                }
                self.take(name, caller.weight);
                self.total.line.remove(head);
                self.total
                    .answers
                    .push((caller, Answer::Granted(caller.weight)));
            }
            self.settle(name, now);
        }
    }

    pub(crate) fn account(&mut self, name: Name) -> &mut Account {
        self.keys
            .get_mut(&name)
            .expect("something is under the key")
    }

    /// A key is gone with the last that runs or waits under it.
    pub(crate) fn forget(&mut self) {
        let line = &self.total.line;
        let turns = &mut self.turns;
        self.keys.retain(|name, account| {
            let stays = account.in_flight > 0 || line.iter().any(|caller| caller.name == *name);
            if !stays {
                turns.forget(*name);
            }
            stays
        });
    }

    pub(crate) fn plan_of(&self, name: Name) -> Option<KeyPlan> {
        match (name, self.setup.options.overflow) {
            (Name::Own(key), _) => Some(self.setup.plan(key)),
            (Name::Shared, KeyOverflow::Share(plan)) => Some(plan),
            (Name::Shared, _) => None,
        }
    }
}
