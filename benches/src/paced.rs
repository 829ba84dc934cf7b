use std::fmt;
use std::time::Duration;

use crate::subject::Subject;

/// A subject that takes turns of about the same length with others.
///
/// Subjects that are compared run in turns of a few milliseconds: what disturbs the machine for
/// longer disturbs them all, and the [`median`] forgets the turns that were disturbed alone.
pub struct Paced {
    subject: Subject,
    times: u64,
}

impl Paced {
    /// Finds out how many operations, a multiple of `at_once`, take as long as a `turn`.
    pub fn new(mut subject: Subject, at_once: u64, turn: Duration) -> Self {
        let mut times = at_once;
        while subject.run(times) < turn {
            times *= 2;
        }
        Self { subject, times }
    }

    /// Takes one turn, and returns the nanoseconds for each operation.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a turn has far fewer than 2^52 operations"
    )]
    pub fn turn(&mut self) -> f64 {
        let nanoseconds = self.subject.run(self.times).as_secs_f64() * 1e9;
        nanoseconds / self.times as f64
    }
}

impl fmt::Debug for Paced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Paced")
            .field("times", &self.times)
            .finish_non_exhaustive()
    }
}

/// The middle one of `samples`, of which there is at least one.
pub fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() / 2]
}
