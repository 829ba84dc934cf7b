use std::collections::BTreeMap;

use crate::account::Name;

/// Who is next where the keys take turns, as exact fractions of a round.
///
/// A key that can use room starts where the clock is, or where its last grant
/// ended if that is later; the earliest start is next, and among equal ones the
/// first to come.
#[derive(Default)]
pub(crate) struct Turns {
    clock: u128,
    finish: BTreeMap<Name, u128>,
    /// When each starts that can use room, and as the how-manyth it came.
    starts: BTreeMap<Name, (u128, usize)>,
    comings: usize,
}

impl Turns {
    pub(crate) fn first(&self) -> Option<Name> {
        let starts = self.starts.iter();
        let (name, _) = starts.min_by_key(|(_, start)| **start)?;
        Some(*name)
    }

    /// Whether it is before all who can use room.
    pub(crate) fn would_lead(&self, name: Name) -> bool {
        match (self.first(), self.starts.get(&name)) {
            (None, _) => true,
            (Some(first), Some(_)) => first == name,
            (Some(first), None) => self.start(name) < self.starts[&first].0,
        }
    }

    pub(crate) fn place(&mut self, name: Name, can_use_room: bool) {
        if !can_use_room {
            self.starts.remove(&name);
        } else if !self.starts.contains_key(&name) {
            self.put(name, self.start(name));
        }
    }

    pub(crate) fn charge(&mut self, name: Name, weight: usize, share_of: impl Fn(Name) -> u32) {
        if self.starts.is_empty() {
            return;
        }
        let start = self.starts.get(&name).map(|(start, _)| *start);
        let mut shares: u32 = self.starts.keys().copied().map(&share_of).sum();
        if start.is_none() {
            shares += share_of(name);
        }
        let is_there = start.is_some();
        let start = start.unwrap_or_else(|| self.start(name));
        let finish = start + round(weight) / u128::from(share_of(name));
        self.finish.insert(name, finish);
        self.clock = start.max(self.clock + round(weight) / u128::from(shares));
        if is_there {
            self.put(name, finish);
        }
    }

    pub(crate) fn forget(&mut self, name: Name) {
        self.finish.remove(&name);
    }

    fn put(&mut self, name: Name, start: u128) {
        self.comings += 1;
        self.starts.insert(name, (start, self.comings));
    }

    fn start(&self, name: Name) -> u128 {
        self.clock.max(self.finish.get(&name).copied().unwrap_or(0))
    }
}

/// What a share of 1 gets in one round for a call of that weight.
fn round(weight: usize) -> u128 {
    u128::try_from(weight).expect("a weight has 32 bits") << 48
}
