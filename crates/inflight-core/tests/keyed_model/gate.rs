use std::hash::{Hash, Hasher};
use std::pin::Pin;
use std::task::Waker;

use inflight_core::{
    KeyedArrival, KeyedHost, KeyedPermit, KeyedWait, KeyedWaiter, Limit, Snapshot, Ticket,
};
use inflight_test::{ManualClock, TestKeyedGate};

use crate::harness::gate::{Gate, Told};

/// A key of which several have the same hash.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Key(pub(crate) u8);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 % 2).hash(state);
    }
}

impl Gate for TestKeyedGate<Key> {
    type Key = Key;
    type Permit = KeyedPermit<Self>;
    type Waiter = KeyedWaiter<Self>;

    const WATCHERS_IN_ORDER: bool = false;

    fn arrive(&self, key: Key, ticket: Ticket, waits: bool) -> Told<Self> {
        let arrival = if waits {
            KeyedHost::arrive(self, key, ticket)
        } else {
            let tried = self.try_arrive(key, ticket);
            tried.map_or_else(KeyedArrival::Refused, KeyedArrival::Admitted)
        };
        match arrival {
            KeyedArrival::Admitted(permit) => Told::Granted {
                permit,
                since: None,
            },
            KeyedArrival::Queued(waiter) => Told::Queued(waiter),
            KeyedArrival::Refused(refusal) => Told::Refused(refusal),
        }
    }

    fn poll(waiter: &mut KeyedWaiter<Self>, waker: &Waker) -> Told<Self> {
        match waiter.poll(waker) {
            KeyedWait::Admitted { permit, since } => Told::Granted { permit, since },
            KeyedWait::Pending { deadline } => Told::Pending { deadline },
            KeyedWait::Refused(refusal) => Told::Refused(refusal),
        }
    }

    fn weight(permit: &KeyedPermit<Self>) -> u32 {
        permit.weight()
    }

    fn set_limit(&self, of: Option<Key>, limit: Limit) -> bool {
        let Some(key) = of else {
            KeyedHost::set_limit(self, limit);
            return true;
        };
        self.set_key_limit(&key, limit)
    }

    fn close(&self) {
        KeyedHost::close(self);
    }

    fn drained(&self) -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(KeyedHost::drained(self))
    }

    fn clock(&self) -> &ManualClock {
        self.clock()
    }

    fn snapshot(&self) -> Snapshot {
        self.total()
    }

    fn has_room(&self) -> bool {
        self.gate().has_room()
    }

    fn is_closed(&self) -> bool {
        self.gate().is_closed()
    }
}
