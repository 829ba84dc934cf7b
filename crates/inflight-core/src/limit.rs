use std::fmt;
use std::num::NonZeroU32;

/// How much work may be in flight at once, in units of weight; never zero.
///
/// A limit of zero would close the gate for good, since an algorithm learns
/// only from work that it lets through. The largest is 2<sup>31</sup> - 1,
/// which stands for "unlimited".
///
/// ```
/// use inflight_core::Limit;
///
/// assert_eq!(Limit::new(10).map(Limit::get), Some(10));
/// assert_eq!(Limit::new(0), None);
/// assert_eq!(Limit::new(usize::MAX), None);
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Limit(NonZeroU32);

impl Limit {
    /// The largest limit, 2<sup>31</sup> - 1: in effect unlimited.
    pub const MAX: Self = match NonZeroU32::new(MAX) {
        Some(max) => Self(max),
        None => panic!("the largest limit is not zero"),
    };

    /// One at a time.
    pub const ONE: Self = Self(NonZeroU32::MIN);

    /// A limit of `value`, unless that is zero or above [`Limit::MAX`].
    pub const fn new(value: usize) -> Option<Self> {
        if value > MAX as usize {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
        match NonZeroU32::new(value as u32) {
            Some(value) => Some(Self(value)),
            None => None,
        }
    }

    /// The limit as a number.
    pub const fn get(self) -> usize {
        self.0.get() as usize
    }

    pub(crate) const fn units(self) -> u64 {
        self.0.get() as u64
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// 31 bits, so that a limit, what is in flight and the gate's state share one
/// word of 64.
const MAX: u32 = (1 << 31) - 1;
