use std::time::Duration;

use crate::clock::timed;
use crate::paced::Paced;
use crate::samples::Samples;
use crate::subject::Subject;

/// How long and how often to measure.
///
/// A round makes all subjects anew, so that no lucky place in memory lasts. In a round they take
/// turns, each time another one first.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many rounds.
    pub rounds: u32,
    /// How long a round lasts, at least.
    pub round: Duration,
    /// How long a turn lasts, about.
    pub turn: Duration,
    /// How many callers wait or keys live, at most.
    pub most: usize,
}

impl Effort {
    /// Enough for the second digit of a ratio.
    pub const FULL: Self = Self {
        rounds: 5,
        round: Duration::from_millis(400),
        turn: Duration::from_millis(4),
        most: usize::MAX,
    };

    /// As little as shows that it runs.
    pub const SMOKE: Self = Self {
        rounds: 1,
        round: Duration::ZERO,
        turn: Duration::from_micros(10),
        most: 1_000,
    };

    /// Measures the subjects that `make` makes, each of which does `at_once` operations or a multiple.
    pub fn measure(&self, at_once: u64, make: impl Fn() -> Vec<Subject>) -> Samples {
        let mut samples = Samples::default();
        for _ in 0..self.rounds {
            let paced = |subject| Paced::new(subject, at_once, self.turn);
            let mut contenders: Vec<_> = make().into_iter().map(paced).collect();
            let (mut spent, mut turns) = (Duration::ZERO, 0);
            while turns < FEWEST_TURNS || spent < self.round {
                spent += timed(|| samples.take(&mut contenders, turns));
                turns += 1;
            }
        }
        samples
    }
}

/// Turns that each contender has in a round, however long they take.
const FEWEST_TURNS: usize = 3;
