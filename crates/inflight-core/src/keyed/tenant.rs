use super::account::Account;
use super::home::Home;
use super::list::{Linked, Links};
use super::members::Members;
use super::order::Rank;
use crate::Snapshot;

/// A key of which somebody waits, with its line.
pub(super) struct Tenant {
    pub(super) home: Home,
    pub(super) account: Account,
    pub(super) members: Members,
    /// Where it stands among those that could use room in the total.
    pub(super) rank: Option<Rank>,
    /// Its neighbours there.
    links: Links,
    /// Whether it is among those who may have to leave at the end of the turn.
    pub(super) may_leave: bool,
}

impl Tenant {
    pub(super) fn new(home: Home, account: Account) -> Self {
        Self {
            home,
            account,
            members: Members::NOBODY,
            rank: None,
            links: Links::NONE,
            may_leave: false,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.len() == 0
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        self.account.snapshot(self.members.len() as usize)
    }
}

impl Linked for Tenant {
    fn links(&mut self) -> &mut Links {
        &mut self.links
    }
}
