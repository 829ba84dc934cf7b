use std::num::NonZeroU64;

use super::account::Account;
use super::fairness::Fairness;
use super::ranks::Ranks;
use super::slots::Slots;
use super::tenant::Tenant;
use super::virtual_time::VirtualTime;

/// The tenants whose next caller fits their own limit, in the order in which
/// they get slots of the total.
///
/// By arrival, a tenant stands where its next caller arrived.
///
/// In turns, it is start-time fair queueing. A tenant that comes in starts at
/// `start = max(clock, finish)`; the smallest start is next. What it is
/// granted moves it to `finish = start + weight / share`, and the clock to
/// `max(clock + weight / shares, start)`, where `shares` are those of all who
/// stand here. The second term is what an ideal server would have given each
/// of them meanwhile: without it, keys that come for one call and are then
/// forgotten would all start where the clock stands, and those who have been
/// served once would never be next again.
///
/// # Invariants
///
/// 1. `ranks` holds a tenant iff it has a rank, at that rank.
/// 2. `shares` is the sum of theirs.
pub(super) struct Order {
    fairness: Fairness,
    ranks: Ranks,
    clock: VirtualTime,
    shares: u64,
    /// Tells those apart who start at the same time: first come first.
    entries: u64,
}

/// The smaller is next.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Rank {
    /// By arrival, all start at once.
    start: VirtualTime,
    /// In turns, the number of the entry; by arrival, that of the arrival.
    number: NonZeroU64,
}

impl Order {
    pub(super) fn new(fairness: Fairness) -> Self {
        Self {
            fairness,
            ranks: Ranks::new(),
            clock: VirtualTime::ZERO,
            shares: 0,
            entries: 0,
        }
    }

    pub(super) fn first(&self, tenants: &Slots<Tenant>) -> Option<u32> {
        self.ranks.first(tenants)
    }

    /// Whether a new caller that is next of a tenant would be next of all.
    pub(super) fn would_lead(&self, tenants: &Slots<Tenant>, id: u32) -> bool {
        let Some(first) = self.first(tenants) else {
            return true;
        };
        let tenant = tenants.get(id);
        match (self.fairness, tenant.rank) {
            (Fairness::Arrival, rank) => self.ranks.len() == 1 && rank.is_some(),
            (Fairness::RoundRobin, Some(_)) => first == id,
            (Fairness::RoundRobin, None) => {
                let start = self.start(&tenant.account);
                let first = tenants.get(first).rank;
                first.is_some_and(|first| start < first.start)
            }
        }
    }

    /// Gives a tenant the place that is due to it: that of its next caller,
    /// who is the `arrival`th; or none, if its own limit is what that one
    /// waits for, or nobody does.
    pub(super) fn place(&mut self, tenants: &mut Slots<Tenant>, id: u32, arrival: Option<u64>) {
        let tenant = tenants.get(id);
        let due = arrival.map(|arrival| match (self.fairness, tenant.rank) {
            (Fairness::Arrival, _) => Rank::new(VirtualTime::ZERO, arrival),
            (Fairness::RoundRobin, Some(rank)) => rank,
            (Fairness::RoundRobin, None) => self.next_rank(self.start(&tenant.account)),
        });
        self.put(tenants, id, due);
    }

    /// Charges a tenant for what it is granted while anybody waits for the
    /// total, and sends it to the place that follows.
    pub(super) fn charge(&mut self, tenants: &mut Slots<Tenant>, id: u32, weight: u32) {
        if self.fairness == Fairness::Arrival {
            return;
        }
        let tenant = tenants.get_mut(id);
        let (weight, share) = (u64::from(weight), u64::from(tenant.account.share.get()));
        let (start, shares) = match tenant.rank {
            Some(rank) => (rank.start, self.shares),
            None => (self.start(&tenant.account), self.shares + share),
        };
        tenant.account.finish = start.after(weight, share);
        self.clock = start.max(self.clock.after(weight, shares));
        if tenant.rank.is_some() {
            let rank = self.next_rank(tenant.account.finish);
            self.put(tenants, id, Some(rank));
        }
    }

    fn put(&mut self, tenants: &mut Slots<Tenant>, id: u32, due: Option<Rank>) {
        let tenant = tenants.get(id);
        let share = u64::from(tenant.account.share.get());
        if tenant.rank == due {
            return;
        }
        if tenant.rank.is_some() {
            self.ranks.remove(tenants, id);
            self.shares -= share;
        }
        if let Some(rank) = due {
            self.ranks.insert(tenants, id, rank);
            self.shares += share;
        }
    }

    fn start(&self, account: &Account) -> VirtualTime {
        self.clock.max(account.finish)
    }

    fn next_rank(&mut self, start: VirtualTime) -> Rank {
        self.entries += 1;
        Rank::new(start, self.entries)
    }
}

impl Rank {
    fn new(start: VirtualTime, number: u64) -> Self {
        let number = NonZeroU64::MIN.saturating_add(number);
        Self { start, number }
    }
}
