use std::fmt;
use std::sync::Arc;
use std::task::Waker;

use inflight_core::{Arrival, Gate, Host, Limit, Ticket, Wait, Waiter};

use crate::adaptive::Controller;
use crate::clock::Clock;
use crate::desk::Desk;
use crate::door::{Answer, Arrived, Await, Door};
use crate::events::Events;
use crate::reports::Reports;
use crate::sign::Sign;
use crate::ticketing::Asks;
use crate::{LimiterOptions, Permit};

/// The way from a permit, a waiter or a service to the gate they share.
///
/// One reference count for each call in flight. Nothing outside this file
/// knows that it is an `Arc`.
#[derive(Clone)]
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct Handle(Arc<Shared>);

struct Shared {
    gate: Gate,
    clock: Clock,
    desk: Desk,
    /// The desk's, at hand for those who are rejected without a stop there.
    sign: Sign,
    has_listener: bool,
    reports: Reports,
    options: LimiterOptions,
    controller: Option<Controller>,
}

impl Handle {
    pub(crate) fn new(
        gate: Gate,
        options: LimiterOptions,
        desk: Desk,
        controller: Option<Controller>,
    ) -> Self {
        let reports = desk.reports().clone();
        let shared = Arc::new(Shared {
            gate,
            clock: Clock::start(),
            sign: desk.sign(),
            has_listener: desk.has_listener(),
            reports: reports.clone(),
            desk,
            options,
            controller,
        });
        reports.watch(&shared);
        Self(shared)
    }

    /// Asks for a permit for `request`, by what is read from it.
    #[inline]
    pub(crate) fn ask<Request>(
        &self,
        asks: &impl Asks<Request>,
        request: &Request,
    ) -> Arrived<Self> {
        if asks.is_exempt(request) {
            return Arrived::Admitted(Door::exempt(self));
        }
        self.enter(asks.ticket(request))
    }

    #[inline]
    pub(crate) fn enter(&self, ticket: Ticket) -> Arrived<Self> {
        match self.arrive(ticket) {
            Arrival::Admitted(permit) => Arrived::Admitted(Permit::admitted(permit)),
            Arrival::Queued(waiter) => Arrived::Queued(waiter),
            Arrival::Refused(refusal) => Arrived::Refused(refusal),
        }
    }

    pub(crate) fn options(&self) -> &LimiterOptions {
        &self.0.options
    }
}

impl Host for Handle {
    #[inline]
    fn gate(&self) -> &Gate {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        self.0.clock.now()
    }
}

impl Door for Handle {
    type Permit = Permit;
    type Waiter = Waiter<Self>;

    #[inline]
    fn has_room(&self) -> bool {
        self.0.gate.has_room()
    }

    fn exempt(&self) -> Permit {
        Permit::exempt(Host::exempt(self))
    }

    #[inline]
    fn in_flight(&self) -> usize {
        self.0.gate.in_flight()
    }

    fn resize(&self, limit: Limit) -> impl Sized + '_ {
        Host::resize(self, limit)
    }

    #[inline]
    fn quiet_sign(&self) -> Option<Sign> {
        let is_quiet = !self.0.has_listener && !Events::are_heard();
        is_quiet.then_some(self.0.sign)
    }

    fn desk(&self) -> &Desk {
        &self.0.desk
    }

    #[inline]
    fn reports(&self) -> &Reports {
        &self.0.reports
    }

    #[inline]
    fn clock(&self) -> Clock {
        self.0.clock
    }

    #[inline]
    fn controller(&self) -> Option<&Controller> {
        self.0.controller.as_ref()
    }
}

impl Await<Handle> for Waiter<Handle> {
    #[inline]
    fn poll(&mut self, waker: &Waker) -> Answer<Permit> {
        match Waiter::poll(self, waker) {
            Wait::Admitted { permit, .. } => Answer::Admitted(Permit::admitted(permit)),
            Wait::Refused(refusal) => Answer::Refused(refusal),
            Wait::Pending { deadline } => Answer::Pending { deadline },
        }
    }

    fn door(&self) -> Option<&Handle> {
        self.host()
    }
}

#[cfg(feature = "metrics")]
impl crate::reports::Gauged for Shared {
    fn snapshot(&self) -> inflight_core::Snapshot {
        self.gate.snapshot()
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}
