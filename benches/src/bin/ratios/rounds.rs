use std::time::Duration;

use inflight_benches::{Outcome, Paced, Unit, median, timed};

use crate::promise::{Promise, THREADS};

/// How long and how often to measure.
///
/// A round makes both subjects anew, so that no lucky place in memory lasts. In a round they take
/// turns, now one first, now the other.
pub(crate) struct Effort {
    rounds: u32,
    round: Duration,
    turn: Duration,
    longest_line: usize,
}

impl Effort {
    /// Enough for the second digit of a ratio.
    pub(crate) const FULL: Self = Self {
        rounds: 5,
        round: Duration::from_millis(400),
        turn: Duration::from_millis(4),
        longest_line: usize::MAX,
    };

    /// As little as shows that it runs.
    pub(crate) const SMOKE: Self = Self {
        rounds: 1,
        round: Duration::ZERO,
        turn: Duration::from_micros(10),
        longest_line: 1_000,
    };

    /// Finds out what a promise is worth.
    pub(crate) fn measure(&self, promise: &Promise) -> Outcome {
        let waiting = promise.waiting.min(self.longest_line);
        let mut samples = Samples::default();
        for _ in 0..self.rounds {
            let mut ours = Paced::new((promise.ours)(waiting), promise.at_once, self.turn);
            let mut theirs = Paced::new((promise.theirs)(waiting), promise.at_once, self.turn);
            samples.take(&mut ours, &mut theirs, self.round);
        }
        samples.outcome(promise)
    }
}

/// Nanoseconds for each operation, turn by turn.
#[derive(Default)]
struct Samples {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Samples {
    fn take(&mut self, ours: &mut Paced, theirs: &mut Paced, at_least: Duration) {
        let mut spent = Duration::ZERO;
        let mut turns = 0;
        while turns < FEWEST_TURNS || spent < at_least {
            spent += timed(|| {
                if turns % 2 == 0 {
                    self.ours.push(ours.turn());
                    self.theirs.push(theirs.turn());
                } else {
                    self.theirs.push(theirs.turn());
                    self.ours.push(ours.turn());
                }
            });
            turns += 1;
        }
    }

    fn outcome(self, promise: &Promise) -> Outcome {
        let pairs = self.ours.iter().zip(&self.theirs);
        let ratio = median(pairs.map(|(ours, theirs)| ours / theirs).collect());
        let (ours, theirs) = (median(self.ours), median(self.theirs));
        let (ours, theirs, ratio) = match promise.unit {
            Unit::MillionsPerSecond => (throughput(ours), throughput(theirs), ratio.recip()),
            _ => (ours, theirs, ratio),
        };
        Outcome::compared(
            promise.question,
            (promise.peer, theirs),
            (ours, promise.unit),
            ratio,
            promise.bar,
        )
    }
}

/// Millions of operations in a second, of all threads together.
fn throughput(nanoseconds: f64) -> f64 {
    f64::from(THREADS) * 1e3 / nanoseconds
}

/// Turns that each contender has in a round, however long they take.
const FEWEST_TURNS: u32 = 3;
