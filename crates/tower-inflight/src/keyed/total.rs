use crate::adaptive::Measuring;
use crate::unmeasured::Unmeasured;

/// A total limit that stays as it is set.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedTotal;

/// A total limit that an algorithm moves by what `C` says of the results.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdaptiveTotal<C = ()>(pub(super) C);

/// What a limiter makes of a permit, by the kind of its total limit.
#[expect(
    unnameable_types,
    reason = "sealed: it is fixed or adaptive, and nothing else"
)]
pub trait Total<H> {
    /// See the terms of the call.
    type Terms;

    /// The terms of a call.
    fn terms(&self, hold: H) -> Self::Terms;
}

impl<H> Total<H> for FixedTotal {
    type Terms = Unmeasured<H>;

    fn terms(&self, hold: H) -> Unmeasured<H> {
        Unmeasured(hold)
    }
}

impl<C: Clone, H> Total<H> for AdaptiveTotal<C> {
    type Terms = Measuring<C, H>;

    fn terms(&self, hold: H) -> Measuring<C, H> {
        Measuring::new(self.0.clone(), hold)
    }
}
