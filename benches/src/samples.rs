use crate::paced::{Paced, median};

/// Nanoseconds for each operation of each contender, turn by turn.
#[derive(Debug, Default)]
pub struct Samples(Vec<Vec<f64>>);

impl Samples {
    /// Lets each contender take one turn, in a circle that begins at `first`.
    pub(crate) fn take(&mut self, contenders: &mut [Paced], first: usize) {
        let count = contenders.len();
        self.0.resize_with(count, Vec::new);
        for place in 0..count {
            let next = (place + first) % count;
            self.0[next].push(contenders[next].turn());
        }
    }

    /// What an operation of the contender takes.
    pub fn nanoseconds(&self, contender: usize) -> f64 {
        median(self.0[contender].clone())
    }

    /// What it takes as a multiple of what `other`'s took in the same turn.
    pub fn ratio(&self, contender: usize, other: usize) -> f64 {
        let pairs = self.0[contender].iter().zip(&self.0[other]);
        median(pairs.map(|(one, other)| one / other).collect())
    }
}
