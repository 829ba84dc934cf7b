use std::cmp::Reverse;

use super::account::Account;
use super::home::Home;
use super::members::{Member, Members};
use super::order::Rank;
use super::waiting::{Place, Turn};
use crate::Snapshot;

/// A key of which somebody waits, with its line.
pub(super) struct Tenant {
    pub(super) home: Home,
    pub(super) account: Account,
    /// Where it stands among those that could use room in the total.
    pub(super) rank: Option<Rank>,
    /// Whether it is among those who may have to leave at the end of the turn.
    pub(super) may_leave: bool,
    members: Members,
}

impl Tenant {
    pub(super) fn new(home: Home, account: Account) -> Self {
        Self {
            home,
            account,
            rank: None,
            may_leave: false,
            members: Members::None,
        }
    }

    pub(super) fn join(&mut self, waiter: u32, place: &Place) {
        self.members.join(waiter, place);
    }

    pub(super) fn leave(&mut self, waiter: u32, place: &Place) {
        self.members.leave(waiter, place);
    }

    /// Who is next.
    pub(super) fn head(&self) -> Option<(Turn, Member)> {
        self.members.first()
    }

    /// Whether an arrival of `priority` would be next.
    pub(super) fn is_ahead(&self, priority: i32) -> bool {
        self.head()
            .is_none_or(|(turn, _)| priority > turn.priority.0)
    }

    /// Whether it is the key's own limit that its next caller waits for.
    pub(super) fn is_blocked(&self) -> bool {
        self.head()
            .is_some_and(|(_, head)| !self.account.fits(head.weight))
    }

    /// The newest of the lowest priority, if that is below `priority`.
    pub(super) fn evictable_by(&self, priority: i32) -> Option<u32> {
        let (turn, member) = self.members.last()?;
        (turn.priority > Reverse(priority)).then_some(member.waiter)
    }

    /// One whose time has come.
    pub(super) fn late(&self, now: u64) -> Option<u32> {
        self.members.late(now)
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        self.account.snapshot(self.members.len())
    }

    pub(super) fn queued(&self) -> u32 {
        u32::try_from(self.members.len()).expect("a line is shorter than 2^31")
    }
}
