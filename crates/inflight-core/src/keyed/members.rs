use std::collections::BTreeMap;

use super::deadlines::Deadlines;
use super::waiting::{Place, Turn};

/// The callers of one key that wait, in the order of their turns.
///
/// Mostly there is only one, for whom no tree is made.
pub(super) enum Members {
    None,
    One(u32, Place),
    More(Box<Crowd>),
}

#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) waiter: u32,
    pub(super) weight: u64,
    pub(super) deadline: u64,
}

pub(super) struct Crowd {
    line: BTreeMap<Turn, Member>,
    deadlines: Deadlines,
}

impl Members {
    pub(super) fn join(&mut self, waiter: u32, place: &Place) {
        match self {
            Self::None => *self = Self::One(waiter, *place),
            Self::One(first, first_place) => {
                let mut crowd = Box::new(Crowd::new());
                crowd.join(*first, first_place);
                crowd.join(waiter, place);
                *self = Self::More(crowd);
            }
            Self::More(crowd) => crowd.join(waiter, place),
        }
    }

    pub(super) fn leave(&mut self, waiter: u32, place: &Place) {
        if let Self::More(crowd) = self {
            crowd.leave(waiter, place);
            if !crowd.line.is_empty() {
                return;
            }
        }
        *self = Self::None;
    }

    /// Who is next.
    pub(super) fn first(&self) -> Option<(Turn, Member)> {
        match self {
            Self::None => None,
            Self::One(waiter, place) => Some((place.turn, Member::new(*waiter, place))),
            Self::More(crowd) => crowd.line.first_key_value().map(copied),
        }
    }

    /// The newest of the lowest priority.
    pub(super) fn last(&self) -> Option<(Turn, Member)> {
        match self {
            Self::More(crowd) => crowd.line.last_key_value().map(copied),
            _ => self.first(),
        }
    }

    /// One whose time has come.
    pub(super) fn late(&self, now: u64) -> Option<u32> {
        if let Self::More(crowd) = self {
            return crowd.deadlines.late(now);
        }
        let (_, only) = self.first()?;
        (only.deadline <= now).then_some(only.waiter)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(..) => 1,
            Self::More(crowd) => crowd.line.len(),
        }
    }
}

impl Member {
    fn new(waiter: u32, place: &Place) -> Self {
        Self {
            waiter,
            weight: place.weight,
            deadline: place.deadline,
        }
    }
}

impl Crowd {
    fn new() -> Self {
        Self {
            line: BTreeMap::new(),
            deadlines: Deadlines::new(),
        }
    }

    fn join(&mut self, waiter: u32, place: &Place) {
        self.line.insert(place.turn, Member::new(waiter, place));
        self.deadlines.join(waiter, place);
    }

    fn leave(&mut self, waiter: u32, place: &Place) {
        self.line.remove(&place.turn);
        self.deadlines.leave(waiter, place);
    }
}

fn copied((&turn, &member): (&Turn, &Member)) -> (Turn, Member) {
    (turn, member)
}
