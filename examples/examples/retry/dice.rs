use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use tower::util::rng;

/// One generator for all calls.
///
/// tower's own is copied along with the policy, and then all calls make the
/// same pauses. Where nothing has to come out the same twice, an `Rng` whose
/// `next_u64` is `rand::random()` does.
#[derive(Clone, Debug)]
pub(crate) struct Dice(Arc<Mutex<StdRng>>);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// How long until the next of so many callers a second, who do not know of
    /// each other.
    pub(crate) fn gap(&self, rate: f64) -> Duration {
        let unit: f64 = self.roll(StdRng::random);
        Duration::from_secs_f64(-(1.0 - unit).ln() / rate)
    }

    pub(crate) fn falls(&self, chance: f64) -> bool {
        self.roll(|dice| dice.random_bool(chance))
    }

    fn roll<T>(&self, roll: impl FnOnce(&mut StdRng) -> T) -> T {
        // A roll that panics leaves a generator all the same.
        roll(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl rng::Rng for Dice {
    fn next_u64(&mut self) -> u64 {
        self.roll(Rng::next_u64)
    }
}
