use std::collections::BTreeMap;

use super::account::Account;
use super::fairness::Fairness;
use super::tenant::Tenant;

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
    ranks: BTreeMap<Rank, u32>,
    clock: u128,
    shares: u64,
    /// Tells those apart who start at the same time: first come first.
    entries: u64,
}

/// The smaller is next.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Rank {
    /// In turns, the virtual time; by arrival, the number of the arrival.
    start: u128,
    entry: u64,
}

impl Order {
    pub(super) fn new(fairness: Fairness) -> Self {
        Self {
            fairness,
            ranks: BTreeMap::new(),
            clock: 0,
            shares: 0,
            entries: 0,
        }
    }

    pub(super) fn first(&self) -> Option<u32> {
        let (_, &tenant) = self.ranks.first_key_value()?;
        Some(tenant)
    }

    /// Whether a new caller that is next in `tenant` would be next of all.
    pub(super) fn would_lead(&self, tenant: &Tenant) -> bool {
        let Some((first, _)) = self.ranks.first_key_value() else {
            return true;
        };
        match self.fairness {
            Fairness::Arrival => self.ranks.len() == 1 && tenant.rank.is_some(),
            Fairness::RoundRobin => tenant.rank.map_or_else(
                || self.start(&tenant.account) < first.start,
                |rank| rank == *first,
            ),
        }
    }

    /// Gives a tenant the place that is due to it: that of its next caller,
    /// who is the `arrival`th; or none, if its own limit is what that one
    /// waits for, or nobody does.
    pub(super) fn place(&mut self, id: u32, tenant: &mut Tenant, arrival: Option<u64>) {
        let due = arrival.map(|arrival| match (self.fairness, tenant.rank) {
            (Fairness::Arrival, _) => Rank {
                start: arrival.into(),
                entry: 0,
            },
            (Fairness::RoundRobin, Some(rank)) => rank,
            (Fairness::RoundRobin, None) => self.next_rank(self.start(&tenant.account)),
        });
        self.put(id, tenant, due);
    }

    /// Charges a tenant for what it is granted while anybody waits for the
    /// total, and sends it to the place that follows.
    pub(super) fn charge(&mut self, id: u32, tenant: &mut Tenant, weight: u64) {
        if self.fairness == Fairness::Arrival {
            return;
        }
        let share = u64::from(tenant.account.share.get());
        let (start, shares) = match tenant.rank {
            Some(rank) => (rank.start, self.shares),
            None => (self.start(&tenant.account), self.shares + share),
        };
        tenant.account.finish = start + span(weight, share);
        self.clock = start.max(self.clock + span(weight, shares));
        if tenant.rank.is_some() {
            let rank = self.next_rank(tenant.account.finish);
            self.put(id, tenant, Some(rank));
        }
    }

    fn put(&mut self, id: u32, tenant: &mut Tenant, due: Option<Rank>) {
        if tenant.rank == due {
            return;
        }
        let share = u64::from(tenant.account.share.get());
        if let Some(rank) = tenant.rank {
            self.ranks.remove(&rank);
            self.shares -= share;
        }
        if let Some(rank) = due {
            self.ranks.insert(rank, id);
            self.shares += share;
        }
        tenant.rank = due;
    }

    fn start(&self, account: &Account) -> u128 {
        self.clock.max(account.finish)
    }

    fn next_rank(&mut self, start: u128) -> Rank {
        self.entries += 1;
        Rank {
            start,
            entry: self.entries,
        }
    }
}

/// How long `weight` occupies so large a share, in virtual time; never zero,
/// so that time passes.
fn span(weight: u64, shares: u64) -> u128 {
    ((u128::from(weight) << FRACTION) / u128::from(shares)).max(1)
}

/// Fine enough for as many shares as there can be, coarse enough that 2^48
/// grants of the heaviest calls fit.
const FRACTION: u32 = 48;
