use crate::Snapshot;

/// A keyed gate's numbers at one moment.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KeyedSnapshot {
    /// Those of the total, never a mixture of two moments.
    pub total: Snapshot,
    /// Keys that something runs or waits under. The one that calls under too
    /// many keys share does not count.
    pub keys: usize,
    /// How many there may be.
    pub max_keys: usize,
}

/// A key and what is under it.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeyLoad<K> {
    /// `None` is the one that the calls under too many keys share.
    pub key: Option<K>,
    /// Its numbers; the maximum of its limit is its limit.
    pub numbers: Snapshot,
}

impl<K> KeyLoad<K> {
    pub(super) fn new(key: Option<K>, numbers: Snapshot) -> Self {
        Self { key, numbers }
    }
}
