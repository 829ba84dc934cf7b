use std::task::Waker;

use super::home::Home;
use super::list::{Linked, Links};
use crate::Refusal;
use crate::ticket::NO_DEADLINE;

/// One who waits, or has an answer that it has not fetched.
pub(super) struct Waiting {
    pub(super) waker: Option<Waker>,
    /// Its neighbours while it is `Queued`.
    links: Links,
    pub(super) stage: Stage,
}

#[derive(Clone, Copy)]
pub(super) enum Stage {
    Queued(Place),
    Granted {
        home: Home,
        weight: u32,
        since: Since,
    },
    Refused(Refusal),
}

/// A place in the line of a key.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) tenant: u32,
    pub(super) priority: i32,
    /// The number of the arrival, over all keys.
    pub(super) arrival: u64,
    pub(super) weight: u32,
    pub(super) deadline: u64,
    pub(super) since: Since,
}

/// When a wait began, if it is measured.
#[derive(Clone, Copy)]
pub(super) struct Since(u64);

impl Since {
    /// The end of time, so that no time has passed since.
    pub(super) const UNMEASURED: Self = Self(NO_DEADLINE);

    pub(super) fn new(now: u64) -> Self {
        Self(now)
    }

    pub(super) fn get(self) -> Option<u64> {
        (self.0 != NO_DEADLINE).then_some(self.0)
    }

    /// How long it has lasted; nothing if it is not measured.
    pub(super) fn until(self, now: u64) -> u64 {
        now.saturating_sub(self.0)
    }
}

impl Waiting {
    pub(super) fn new(place: Place) -> Self {
        Self {
            waker: None,
            links: Links::NONE,
            stage: Stage::Queued(place),
        }
    }

    pub(super) fn will_wake(&self, waker: &Waker) -> bool {
        self.waker.as_ref().is_some_and(|old| old.will_wake(waker))
    }

    pub(super) fn place(&self) -> &Place {
        match &self.stage {
            Stage::Queued(place) => place,
            _ => unreachable!("only waiters stand in the line"),
        }
    }
}

impl Linked for Waiting {
    fn links(&mut self) -> &mut Links {
        &mut self.links
    }
}
