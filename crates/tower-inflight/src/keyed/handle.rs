use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::task::Waker;

use inflight_core::{KeyedArrival, KeyedGate, KeyedHost, KeyedWait, KeyedWaiter, Limit, Ticket};

use super::KeyedPermit;
use super::options::KeyedLimitOptions;
use crate::adaptive::Controller;
use crate::clock::Clock;
use crate::desk::Desk;
use crate::door::{Answer, Arrived, Await, Door};
use crate::reports::Reports;
use crate::sign::Sign;
use crate::ticketing::Asks;

/// The way from a permit, a waiter or a service to the keyed gate they share.
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct KeyedHandle<K>(Arc<Shared<K>>);

struct Shared<K> {
    gate: KeyedGate<K>,
    clock: Clock,
    desk: Desk,
    options: KeyedLimitOptions,
    controller: Option<Controller>,
}

impl<K: Eq + Hash + Send + Sync + 'static> KeyedHandle<K> {
    pub(super) fn new(
        gate: KeyedGate<K>,
        options: KeyedLimitOptions,
        desk: Desk,
        controller: Option<Controller>,
    ) -> Self {
        let reports = desk.reports().clone();
        let shared = Arc::new(Shared {
            gate,
            clock: Clock::start(),
            desk,
            options,
            controller,
        });
        reports.watch(&shared);
        Self(shared)
    }
}

impl<K> KeyedHandle<K> {
    pub(super) fn options(&self) -> &KeyedLimitOptions {
        &self.0.options
    }

    pub(super) fn gate(&self) -> &KeyedGate<K> {
        &self.0.gate
    }
}

impl<K: Eq + Hash> KeyedHandle<K> {
    /// Asks for a permit for `request` under the key that is read from it.
    pub(super) fn ask<Request>(
        &self,
        key: &impl Fn(&Request) -> K,
        asks: &impl Asks<Request>,
        request: &Request,
    ) -> Arrived<Self> {
        if asks.is_exempt(request) {
            return Arrived::Admitted(Door::exempt(self));
        }
        self.enter(key(request), asks.ticket(request))
    }

    pub(super) fn enter(&self, key: K, ticket: Ticket) -> Arrived<Self> {
        match self.arrive(key, ticket) {
            KeyedArrival::Admitted(permit) => Arrived::Admitted(KeyedPermit::admitted(permit)),
            KeyedArrival::Queued(waiter) => Arrived::Queued(waiter),
            KeyedArrival::Refused(refusal) => Arrived::Refused(refusal),
        }
    }
}

impl<K> Clone for KeyedHandle<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Eq + Hash> KeyedHost for KeyedHandle<K> {
    type Key = K;

    fn gate(&self) -> &KeyedGate<K> {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        self.0.clock.now()
    }
}

impl<K: Eq + Hash> Door for KeyedHandle<K> {
    type Permit = KeyedPermit<K>;
    type Waiter = KeyedWaiter<Self>;

    fn has_room(&self) -> bool {
        self.0.gate.has_room()
    }

    fn exempt(&self) -> KeyedPermit<K> {
        KeyedPermit::exempt(KeyedHost::exempt(self))
    }

    fn in_flight(&self) -> usize {
        self.0.gate.in_flight()
    }

    fn resize(&self, limit: Limit) -> impl Sized + '_ {
        KeyedHost::resize(self, limit)
    }

    fn quiet_sign(&self) -> Option<Sign> {
        let desk = &self.0.desk;
        desk.is_quiet().then(|| desk.sign())
    }

    fn desk(&self) -> &Desk {
        &self.0.desk
    }

    fn reports(&self) -> &Reports {
        self.0.desk.reports()
    }

    fn clock(&self) -> Clock {
        self.0.clock
    }

    fn controller(&self) -> Option<&Controller> {
        self.0.controller.as_ref()
    }
}

impl<K: Eq + Hash> Await<KeyedHandle<K>> for KeyedWaiter<KeyedHandle<K>> {
    fn poll(&mut self, waker: &Waker) -> Answer<KeyedPermit<K>> {
        match KeyedWaiter::poll(self, waker) {
            KeyedWait::Admitted { permit, .. } => Answer::Admitted(KeyedPermit::admitted(permit)),
            KeyedWait::Refused(refusal) => Answer::Refused(refusal),
            KeyedWait::Pending { deadline } => Answer::Pending { deadline },
        }
    }

    fn door(&self) -> Option<&KeyedHandle<K>> {
        self.host()
    }
}

#[cfg(feature = "metrics")]
impl<K: Eq + Hash + Send + Sync> crate::reports::Gauged for Shared<K> {
    fn snapshot(&self) -> inflight_core::Snapshot {
        self.gate.snapshot().total
    }
}

impl<K> fmt::Debug for KeyedHandle<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedHandle").finish_non_exhaustive()
    }
}
