/// Chance as a function: the same seed, stream and index give the same number,
/// in whatever order they are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random {
    seed: u64,
}

/// What a number is drawn for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    Arrival = 1,
    Demand = 2,
    DemandAngle = 3,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed: scramble(seed),
        }
    }

    /// Above 0 and at most 1, evenly.
    pub(super) fn uniform(self, stream: Stream, index: u64) -> f64 {
        let bits = scramble(scramble(self.seed ^ index) ^ stream as u64) >> 32;
        (f64::from(bits as u32) + 1.0) / 4_294_967_296.0
    }

    /// Exponential with mean 1.
    pub(super) fn exponential(self, stream: Stream, index: u64) -> f64 {
        -self.uniform(stream, index).ln()
    }

    /// Normal with mean 0 and variance 1, by the method of Box and Muller.
    pub(super) fn normal(self, radius: Stream, angle: Stream, index: u64) -> f64 {
        let radius = (2.0 * self.exponential(radius, index)).sqrt();
        radius * (std::f64::consts::TAU * self.uniform(angle, index)).cos()
    }
}

/// One step of the generator `SplitMix64`.
fn scramble(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
