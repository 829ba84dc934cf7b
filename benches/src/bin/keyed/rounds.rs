use std::time::Duration;

use inflight_benches::{Paced, median, timed};

use crate::question::Question;

/// How long and how often to measure.
///
/// A round makes all subjects anew; in a round they take turns, each time
/// another one first.
pub(crate) struct Effort {
    rounds: usize,
    round: Duration,
    turn: Duration,
    pub(crate) most_keys: u64,
}

/// Nanoseconds of each contender, and how ours compares with the others'.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Medians {
    pub(crate) nanoseconds: [f64; 3],
    pub(crate) ratios: [f64; 2],
}

impl Effort {
    /// Enough for the second digit of a ratio.
    pub(crate) const FULL: Self = Self {
        rounds: 3,
        round: Duration::from_millis(240),
        turn: Duration::from_millis(4),
        most_keys: u64::MAX,
    };

    /// As little as shows that it runs.
    pub(crate) const SMOKE: Self = Self {
        rounds: 1,
        round: Duration::ZERO,
        turn: Duration::from_micros(10),
        most_keys: 1_000,
    };

    pub(crate) fn measure(&self, question: &Question) -> Medians {
        let mut samples: [Vec<f64>; 3] = Default::default();
        for _ in 0..self.rounds {
            let mut contenders = question
                .contenders
                .each_ref()
                .map(|make| Paced::new(make(), 1, self.turn));
            let (mut spent, mut turns) = (Duration::ZERO, 0);
            while turns < FEWEST_TURNS || spent < self.round {
                spent += timed(|| {
                    for place in 0..contenders.len() {
                        let next = (place + turns) % contenders.len();
                        samples[next].push(contenders[next].turn());
                    }
                });
                turns += 1;
            }
        }
        let [ours, theirs @ ..] = &samples;
        let ratios = theirs.each_ref().map(|theirs| {
            let pairs = ours.iter().zip(theirs);
            median(pairs.map(|(ours, theirs)| ours / theirs).collect())
        });
        Medians {
            nanoseconds: samples.map(median),
            ratios,
        }
    }
}

/// Turns that each contender has in a round, however long they take.
const FEWEST_TURNS: usize = 3;
