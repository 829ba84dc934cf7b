/// A moment of virtual time, in 2^-48 of what weight 1 takes of one share.
///
/// Two words, the upper first: a `u128` would have all that holds one take
/// multiples of 16 bytes.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct VirtualTime {
    upper: u64,
    lower: u64,
}

impl VirtualTime {
    pub(super) const ZERO: Self = Self { upper: 0, lower: 0 };

    /// After what `weight` takes of so many shares; always later, so that time
    /// passes.
    pub(super) fn after(self, weight: u64, shares: u64) -> Self {
        let span = (u128::from(weight) << FRACTION) / u128::from(shares);
        let moment = u128::from(self.upper) << 64 | u128::from(self.lower);
        let moment = moment + span.max(1);
        #[expect(clippy::cast_possible_truncation, reason = "it is cut in two")]
        Self {
            upper: (moment >> 64) as u64,
            lower: moment as u64,
        }
    }
}

/// Fine enough for as many shares as there can be, coarse enough that 2^48
/// grants of the heaviest calls fit.
const FRACTION: u32 = 48;
