/// Where the entry of a key lies, for as long as anything of it is there: a
/// permit or a waiter keeps the entry, and so the place stays the same.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Home {
    pub(super) shard: u32,
    pub(super) slot: u32,
}

impl Home {
    /// Of a permit that takes nothing, and so comes back to nobody.
    pub(super) const NOWHERE: Self = Self {
        shard: u32::MAX,
        slot: u32::MAX,
    };
}
