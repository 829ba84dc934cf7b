use super::bounds;
use crate::Limit;

/// Decides when the least latency is to be measured anew.
///
/// Chance, drawn from a seed, keeps the probes of many limiters from falling
/// together.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    windows: f64,
    /// In `0.5..1`.
    factor: f64,
    state: u64,
}

impl Probe {
    pub(super) fn new(seed: u64) -> Self {
        let mut probe = Self {
            windows: 0.0,
            factor: 1.0,
            state: seed,
        };
        probe.restart();
        probe
    }

    /// Counts a window and starts anew if the probe is due.
    pub(super) fn is_due(&mut self, limit: Limit) -> bool {
        self.windows += 1.0;
        let due = self.factor * WINDOWS_PER_PERMIT * bounds::real(limit) <= self.windows;
        if due {
            self.restart();
        }
        due
    }

    fn restart(&mut self) {
        self.windows = 0.0;
        self.state = scramble(self.state);
        self.factor = 0.5 + f64::from((self.state >> 33) as u32) / f64::from(1_u32 << 31) / 2.0;
    }
}

/// The generator `SplitMix64`, one step and its output as the next state.
fn scramble(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The published rule's choice.
const WINDOWS_PER_PERMIT: f64 = 30.0;
