use std::collections::BTreeMap;

use super::list::List;
use super::order::Rank;
use super::slots::Slots;
use super::tenant::Tenant;

/// Tenants by rank.
///
/// Mostly whoever comes goes behind all others, and whoever goes was the first:
/// no tree is needed but for those who come before others.
///
/// # Invariants
///
/// 1. The ranks of those on `line` rise.
/// 2. Whoever has a rank is either on `line` or one of `others`; `len` in all.
pub(super) struct Ranks {
    len: u32,
    line: List,
    others: BTreeMap<Rank, u32>,
}

impl Ranks {
    pub(super) fn new() -> Self {
        Self {
            len: 0,
            line: List::EMPTY,
            others: BTreeMap::new(),
        }
    }

    pub(super) fn insert(&mut self, tenants: &mut Slots<Tenant>, id: u32, rank: Rank) {
        let last = self.line.tail().and_then(|last| tenants.get(last).rank);
        if last.is_some_and(|last| last > rank) {
            self.others.insert(rank, id);
        } else {
            self.line.push_back(tenants, id);
        }
        tenants.get_mut(id).rank = Some(rank);
        self.len += 1;
    }

    pub(super) fn remove(&mut self, tenants: &mut Slots<Tenant>, id: u32) {
        let Some(rank) = tenants.get_mut(id).rank.take() else {
            return;
        };
        if self.others.remove(&rank).is_none() {
            self.line.remove(tenants, id);
        }
        self.len -= 1;
    }

    pub(super) fn first(&self, tenants: &Slots<Tenant>) -> Option<u32> {
        match (self.line.head(), self.others.first_key_value()) {
            (Some(head), Some((other, _))) if tenants.get(head).rank < Some(*other) => Some(head),
            (_, Some((_, other))) => Some(*other),
            (head, None) => head,
        }
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }
}
