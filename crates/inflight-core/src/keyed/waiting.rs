use std::cmp::Reverse;
use std::task::Waker;

use super::home::Home;
use crate::Refusal;

/// One who waits, or has an answer that it has not fetched.
pub(super) struct Waiting {
    pub(super) waker: Option<Waker>,
    pub(super) stage: Stage,
}

#[derive(Clone, Copy)]
pub(super) enum Stage {
    Queued(Place),
    Granted { home: Home, weight: u64, since: u64 },
    Refused(Refusal),
}

/// A place in the line of a key.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) tenant: u32,
    pub(super) turn: Turn,
    pub(super) weight: u64,
    pub(super) deadline: u64,
    pub(super) since: u64,
}

/// When it is somebody's turn among the callers of a key: by priority, first
/// come, first served inside one.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Turn {
    pub(super) priority: Reverse<i32>,
    /// The number of the arrival, over all keys.
    pub(super) arrival: u64,
}

impl Turn {
    pub(super) fn new(priority: i32, arrival: u64) -> Self {
        Self {
            priority: Reverse(priority),
            arrival,
        }
    }
}

impl Waiting {
    pub(super) fn new(place: Place) -> Self {
        Self {
            waker: None,
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
