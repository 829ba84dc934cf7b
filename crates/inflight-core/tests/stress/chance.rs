/// Numbers that look random and are the same each time: a linear congruential
/// generator with Knuth's constants for 64 bits, of which the upper bits serve.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chance = Self(seed);
        chance.below(1);
        chance
    }

    pub(crate) fn below(&mut self, end: u16) -> u16 {
        const FACTOR: u64 = 6_364_136_223_846_793_005;
        const SUMMAND: u64 = 1_442_695_040_888_963_407;
        self.0 = self.0.wrapping_mul(FACTOR).wrapping_add(SUMMAND);
        let upper = u16::try_from(self.0 >> 48).expect("16 bits are left");
        upper % end
    }

    pub(crate) fn one_in(&mut self, many: u16) -> bool {
        self.below(many) == 0
    }
}
