use std::hash::Hash;

use super::account::Account;
use super::decision::Decision;
use super::entry::{Entry, Standing};
use super::gate::KeyedGate;
use super::home::Home;
use super::host::KeyedHost;
use super::overflow::KeyOverflow;
use super::plan::KeyPlan;
use super::shard::Shard;
use super::shards::{OVERFLOW, place};
use super::turn::Turn;
use crate::ticket::Ticket;
use crate::wake::discard;
use crate::word::{State as Mark, Word};
use crate::{Limit, Reason, Refusal};

/// What became of an arrival.
pub(super) enum Verdict {
    Admitted(Home),
    Queued(u32),
    Refused(Refusal),
}

/// How far an arrival came without the line's lock.
enum Entered {
    Admitted(Home),
    Refused(Refusal),
    /// Its key is known, and is not forgotten before the line has decided.
    Pinned(Home),
    /// There are too many keys.
    Crowded,
}

/// What can be said without the line's lock to a call of whose key nobody waits.
enum Attempt {
    Admitted,
    Refused(Refusal),
    Undecided,
}

/// A call that asks to be let in.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) ticket: Ticket,
    /// Whether it would join the line.
    pub(super) may_wait: bool,
}

impl<K: Eq + Hash> KeyedGate<K> {
    pub(super) fn arrive(&self, host: &impl KeyedHost<Key = K>, key: K, call: Call) -> Verdict {
        let mut key = Some(key);
        let verdict = match self.enter(&mut key, call) {
            Entered::Admitted(home) => Verdict::Admitted(home),
            Entered::Refused(refusal) => Verdict::Refused(refusal),
            Entered::Crowded => Verdict::Refused(self.crowded(call)),
            Entered::Pinned(home) => self.arrive_in_turn(host, home, call),
        };
        // One that came to nothing goes after the locks; a panic of its
        // destructor must not take along what was decided.
        discard(key);
        verdict
    }

    #[cold]
    fn arrive_in_turn(
        &self,
        host: &impl KeyedHost<Key = K>,
        home: Home,
        Call { ticket, may_wait }: Call,
    ) -> Verdict {
        let (mut state, now) = self.lock_timely(host, may_wait && self.rules.measures(ticket));
        let id = self.seat(&mut state, home, 1);
        // Without a turn, so that a crowd under one key does not hold the
        // others up.
        let simple = state.stand_behind(id, ticket, may_wait, now);
        let decision = simple.unwrap_or_else(|| {
            let mut turn = Turn::begin(self, state);
            let decision = turn.arrive(id, ticket, may_wait, now);
            turn.end();
            decision
        });
        match decision {
            Decision::Admitted => Verdict::Admitted(home),
            Decision::Queued(waiter) => Verdict::Queued(waiter),
            Decision::Refused(refusal) => Verdict::Refused(refusal),
        }
    }

    /// Takes the key only if it has to be remembered.
    fn enter(&self, key: &mut Option<K>, call: Call) -> Entered {
        let hash = self.shards.hash(key.as_ref().expect("nobody has taken it"));
        let number = place(hash);
        let mut plan = self.plans.is_none().then_some(self.rules.key);
        loop {
            let mut shard = self.shards.lock(number);
            if let Some(slot) = shard.find(hash, key.as_ref()) {
                let home = Home {
                    shard: number,
                    slot,
                };
                return self.enter_known(shard.entry_mut(slot), home, call);
            }
            let Some(plan) = plan else {
                drop(shard);
                plan = self.plan(key.as_ref());
                continue;
            };
            if self.shards.reserve(self.rules.max_keys) {
                let entered = self.enter_new(&mut shard, (number, hash), key, plan, call);
                if let Entered::Refused(_) = entered {
                    self.shards.unreserve();
                }
                return entered;
            }
            drop(shard);
            return match self.rules.overflow {
                KeyOverflow::Refuse => Entered::Crowded,
                KeyOverflow::Share(plan) => self.enter_overflow(plan, call),
            };
        }
    }

    fn enter_overflow(&self, plan: KeyPlan, call: Call) -> Entered {
        let mut shard = self.shards.lock(OVERFLOW);
        match shard.find(0, None) {
            Some(slot) => {
                let home = Home {
                    shard: OVERFLOW,
                    slot,
                };
                self.enter_known(shard.entry_mut(slot), home, call)
            }
            None => self.enter_new(&mut shard, (OVERFLOW, 0), &mut None, plan, call),
        }
    }

    fn enter_known(&self, entry: &mut Entry<K>, home: Home, call: Call) -> Entered {
        let attempt = match &mut entry.standing {
            Standing::Alone(account) => self.attempt(account, call),
            Standing::Lined(_) => Attempt::Undecided,
        };
        match attempt {
            Attempt::Admitted => Entered::Admitted(home),
            Attempt::Refused(refusal) => Entered::Refused(refusal),
            Attempt::Undecided => {
                entry.pins += 1;
                Entered::Pinned(home)
            }
        }
    }

    fn enter_new(
        &self,
        shard: &mut Shard<K>,
        (number, hash): (u32, u64),
        key: &mut Option<K>,
        plan: KeyPlan,
        call: Call,
    ) -> Entered {
        let mut account = Account::new(plan);
        let (pins, entered): (_, fn(Home) -> Entered) = match self.attempt(&mut account, call) {
            Attempt::Admitted => (0, Entered::Admitted),
            Attempt::Refused(refusal) => return Entered::Refused(refusal),
            Attempt::Undecided => (1, Entered::Pinned),
        };
        let slot = shard.insert(hash, key.take(), pins, account);
        entered(Home {
            shard: number,
            slot,
        })
    }

    /// Admits, or refuses a call that would not wait, where the line has
    /// nothing to say.
    fn attempt(&self, account: &mut Account, call: Call) -> Attempt {
        let weight = call.ticket.weight();
        let units = u64::from(weight);
        if call.ticket.max_wait_nanos() == 0 {
            return Attempt::Undecided;
        }
        if account.admits(weight) {
            return match self.word.try_admit(units) {
                Ok(()) => {
                    account.take(weight);
                    Attempt::Admitted
                }
                Err(word) if self.is_full(word, units) => {
                    Attempt::Refused(Refusal::new(Reason::TotalLimit, word, 0))
                }
                Err(_) => Attempt::Undecided,
            };
        }
        let word = self.word.load();
        let may_wait = call.may_wait && self.rules.has_line();
        let hopeless = units > self.rules.heaviest(word.limit()) || account.is_below(weight);
        if may_wait || hopeless || word.state() == Mark::Shut {
            return Attempt::Undecided;
        }
        Attempt::Refused(Refusal::new(Reason::KeyLimit, account.word(), 0).of_key())
    }

    /// Whether a word that did not admit says all: there is no line, and
    /// `units` are not to run alone.
    fn is_full(&self, word: Word, units: u64) -> bool {
        !self.rules.has_line() && word.state() == Mark::Free && units <= word.limit()
    }

    fn plan(&self, key: Option<&K>) -> Option<KeyPlan> {
        let plans = self.plans.as_ref()?;
        key.map(plans)
    }

    /// Refuses a call under a key more than there may be.
    #[cold]
    fn crowded(&self, call: Call) -> Refusal {
        let state = self.lock();
        let (word, queued) = (self.word.load(), state.line.queued());
        let reason = if state.is_closed() {
            Reason::Closed
        } else if u64::from(call.ticket.weight()) > self.rules.heaviest(word.limit()) {
            Reason::TooHeavy
        } else if call.ticket.max_wait_nanos() == 0 {
            Reason::QueueTimeout
        } else {
            let most = u64::try_from(self.rules.max_keys).unwrap_or(u64::MAX);
            let most = most.min(Limit::MAX.units());
            return Refusal::new(Reason::TooManyKeys, Word::new(most, most, Mark::Free), 0);
        };
        Refusal::new(reason, word, queued)
    }
}
