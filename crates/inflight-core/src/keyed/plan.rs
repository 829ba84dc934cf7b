use std::num::NonZeroU32;

use crate::Limit;

/// What one key may have.
///
/// ```
/// use std::num::NonZeroU32;
/// use inflight_core::{KeyPlan, Limit};
///
/// let plan = KeyPlan::new(Limit::ONE).with_share(NonZeroU32::new(3).unwrap());
/// assert_eq!((plan.limit, plan.share.get()), (Limit::ONE, 3));
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KeyPlan {
    /// How much of the key may be in flight, in units of weight.
    pub limit: Limit,
    /// How much of the total it gets beside the others where the keys take
    /// turns: with a share of 2 twice as much as with 1.
    pub share: NonZeroU32,
}

impl KeyPlan {
    /// So much in flight, and a share of 1.
    pub const fn new(limit: Limit) -> Self {
        Self {
            limit,
            share: NonZeroU32::MIN,
        }
    }

    /// Another share of the total.
    #[must_use]
    pub const fn with_share(self, share: NonZeroU32) -> Self {
        Self { share, ..self }
    }
}
