use std::pin::Pin;
use std::task::Waker;

use inflight_core::{Arrival, Host, Limit, Permit, Snapshot, Ticket, Wait, Waiter};
use inflight_test::{ManualClock, TestGate};

use crate::harness::gate::{Gate, Told};

impl Gate for TestGate {
    type Key = ();
    type Permit = Permit<Self>;
    type Waiter = Waiter<Self>;

    const WATCHERS_IN_ORDER: bool = true;

    fn arrive(&self, (): (), ticket: Ticket, waits: bool) -> Told<Self> {
        let arrival = if waits {
            Host::arrive(self, ticket)
        } else {
            let tried = self.try_arrive(ticket);
            tried.map_or_else(Arrival::Refused, Arrival::Admitted)
        };
        match arrival {
            Arrival::Admitted(permit) => Told::Granted {
                permit,
                since: None,
            },
            Arrival::Queued(waiter) => Told::Queued(waiter),
            Arrival::Refused(refusal) => Told::Refused(refusal),
        }
    }

    fn poll(waiter: &mut Waiter<Self>, waker: &Waker) -> Told<Self> {
        match waiter.poll(waker) {
            Wait::Admitted { permit, since } => Told::Granted { permit, since },
            Wait::Pending { deadline } => Told::Pending { deadline },
            Wait::Refused(refusal) => Told::Refused(refusal),
        }
    }

    fn weight(permit: &Permit<Self>) -> u32 {
        permit.weight()
    }

    fn set_limit(&self, _: Option<()>, limit: Limit) -> bool {
        Host::set_limit(self, limit);
        true
    }

    fn close(&self) {
        Host::close(self);
    }

    fn drained(&self) -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(Host::drained(self))
    }

    fn clock(&self) -> &ManualClock {
        self.clock()
    }

    fn snapshot(&self) -> Snapshot {
        self.snapshot()
    }

    fn has_room(&self) -> bool {
        self.gate().has_room()
    }

    fn is_closed(&self) -> bool {
        self.gate().is_closed()
    }
}
