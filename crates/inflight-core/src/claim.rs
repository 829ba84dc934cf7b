use crate::line::Key;

/// What a permit has to give back: its weight, and the node of the waiter that
/// it was granted to, if that is still there.
///
/// One whole word: the weight below bit 32, one more than the key above.
#[derive(Clone, Copy)]
pub(crate) struct Claim(u64);

impl Claim {
    /// Of a call that was let pass without asking.
    pub(crate) const NOTHING: Self = Self(0);

    #[inline]
    pub(crate) fn new(weight: u32) -> Self {
        Self(weight.into())
    }

    #[inline]
    pub(crate) fn with_node(weight: u32, node: Key) -> Self {
        Self(u64::from(node.code() + 1) << KEY_SHIFT | u64::from(weight))
    }

    #[inline]
    pub(crate) fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Whether there is only a weight.
    #[inline]
    pub(crate) fn is_light(self) -> bool {
        self.0 >> KEY_SHIFT == 0
    }

    #[inline]
    pub(crate) fn weight(self) -> u64 {
        self.0 & WEIGHT
    }

    pub(crate) fn node(self) -> Option<Key> {
        let above = (self.0 >> KEY_SHIFT) as u32;
        above.checked_sub(1).map(Key::from_code)
    }
}

const KEY_SHIFT: u32 = 32;
const WEIGHT: u64 = u32::MAX as u64;
