use std::collections::BTreeMap;
use std::time::Duration;

use inflight_core::{KeyedGate, Limit, Reason, Ticket};
use inflight_test::TestKeyedGate;

use crate::account::{Account, Name};
use crate::gate::Key;
use crate::harness::answer::Answer;
use crate::harness::books::Books;
use crate::harness::caller::Caller;
use crate::harness::model::Model;
use crate::harness::world::World;
use crate::setup::Setup;
use crate::turns::Turns;

/// What a keyed gate should do.
pub(crate) struct KeyedModel {
    pub(crate) setup: Setup,
    pub(crate) total: Books<Name>,
    pub(crate) keys: BTreeMap<Name, Account>,
    pub(crate) turns: Turns,
}

impl Model for KeyedModel {
    type Options = Setup;
    type Gate = TestKeyedGate<Key>;
    type Name = Name;

    fn build(setup: &Setup) -> (TestKeyedGate<Key>, Self) {
        let setup = *setup;
        let gate = KeyedGate::with_plans(&setup.options, move |key| setup.plan(*key));
        let model = Self {
            setup,
            total: Books::new(setup.of_all()),
            keys: BTreeMap::new(),
            turns: Turns::default(),
        };
        (TestKeyedGate::on(gate), model)
    }

    fn books(&self) -> &Books<Name> {
        &self.total
    }

    fn books_mut(&mut self) -> &mut Books<Name> {
        &mut self.total
    }

    fn name(&self, key: Key) -> Name {
        let own = Name::Own(key);
        if self.keys.contains_key(&own) || self.own_keys() < self.setup.options.max_keys {
            own
        } else {
            Name::Shared
        }
    }

    fn arrive(&mut self, id: usize, key: Key, ticket: Ticket, waits: bool, now: u64) -> Answer {
        let name = self.name(key);
        if let Some(plan) = self.plan_of(name) {
            self.keys.entry(name).or_insert(plan.into());
        }
        let account = self.keys.get(&name);
        let caller = Caller::new(id, name, ticket, &self.total.options, now);
        let answer = if self.total.closed {
            self.refused(Reason::Closed, None, 0)
        } else if caller.weight > self.total.max_limit().get() {
            self.refused(Reason::TooHeavy, None, 0)
        } else if account.is_some_and(|account| caller.weight > account.limit) {
            self.refused(Reason::TooHeavy, Some(name), 0)
        } else if ticket.max_wait() == Some(Duration::ZERO) {
            self.refused(Reason::QueueTimeout, None, 0)
        } else if account.is_none() {
            self.refused_as_one_too_many()
        } else {
            self.let_in_or_queue(caller, waits, now)
        };
        self.forget();
        answer
    }

    fn release(&mut self, name: Name, weight: usize, now: u64) {
        self.total.in_flight -= weight;
        self.account(name).in_flight -= weight;
        self.settle(name, now);
        self.grant(now);
        self.forget();
    }

    fn leave(&mut self, at: usize, now: u64) {
        let name = self.total.line.remove(at).name;
        self.settle(name, now);
        self.grant(now);
        self.forget();
    }

    fn expire(&mut self, at: usize, now: u64) {
        let name = self.total.line[at].name;
        self.time_out(at, now);
        self.settle(name, now);
        self.grant(now);
        self.forget();
    }

    fn set_limit(&mut self, of: Option<Key>, limit: Limit, now: u64) -> bool {
        let known = match of.map(Name::Own) {
            None => {
                self.total.bound(limit);
                self.grant(now);
                true
            }
            Some(name) => self.set_key_limit(name, limit, now),
        };
        self.forget();
        known
    }

    fn close(&mut self, now: u64) {
        self.total.closed = true;
        while !self.total.line.is_empty() {
            let name = self.total.line[0].name;
            self.refuse(0, Reason::Closed, None, now);
            self.turns.place(name, self.can_use_room(name));
        }
        self.forget();
    }

    fn is_waited_for(&self) -> bool {
        self.keys.keys().any(|name| self.can_use_room(*name))
    }

    fn check(world: &mut World<Self>) {
        world.check_keys();
        world.check_top();
        world.check_order();
        world.note_keys();
    }
}
