use super::account::Account;

/// A key that something runs or waits under.
pub(super) struct Entry<K> {
    /// None for the one that the calls under too many keys share.
    pub(super) key: Option<K>,
    pub(super) hash: u64,
    /// Another key with the same hash; [`END`] is none, in half the bytes.
    pub(super) next: u32,
    /// Arrivals that are on their way to the line: they keep the entry, which
    /// nothing may run or wait under yet.
    pub(super) pins: u32,
    pub(super) standing: Standing,
}

/// Who owns the account.
pub(super) enum Standing {
    /// The shard: nobody of the key waits.
    Alone(Account),
    /// The line, as that tenant's.
    Lined(u32),
}

/// No entry has this number.
pub(super) const END: u32 = u32::MAX;

impl<K> Entry<K> {
    pub(super) fn is_idle(&self) -> bool {
        self.pins == 0
            && match &self.standing {
                Standing::Alone(account) => account.is_idle(),
                Standing::Lined(_) => false,
            }
    }
}
