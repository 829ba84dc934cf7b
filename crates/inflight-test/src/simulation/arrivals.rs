use super::Phase;
use super::random::{Random, Stream};

/// A call on its way to the limit.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Call {
    pub(super) arrival: u64,
    /// From 0, refused calls included.
    pub(super) number: u64,
    /// The phase that it arrived in.
    pub(super) phase: usize,
}

/// Calls in the order in which they arrive, each phase at its own rate.
///
/// The rate stretches the gaps and does not draw others, so the `n`-th call
/// stays the `n`-th where only the rate differs.
#[derive(Debug)]
pub(super) struct Arrivals<'a> {
    random: Random,
    phases: &'a [Phase],
    phase: usize,
    /// When the phase began, in seconds.
    begin: f64,
    /// How many calls the rates so far let expect: at the beginning of the
    /// phase, and up to the latest call.
    expected_before: f64,
    expected: f64,
    number: u64,
}

impl<'a> Arrivals<'a> {
    pub(super) fn new(random: Random, phases: &'a [Phase]) -> Self {
        Self {
            random,
            phases,
            phase: 0,
            begin: 0.0,
            expected_before: 0.0,
            expected: 0.0,
            number: 0,
        }
    }
}

impl Iterator for Arrivals<'_> {
    type Item = Call;

    fn next(&mut self) -> Option<Call> {
        self.expected += self.random.exponential(Stream::Arrival, self.number);
        loop {
            let phase = self.phases.get(self.phase)?;
            let length = phase.length.as_secs_f64();
            let since = (self.expected - self.expected_before) / phase.rate;
            if since < length {
                let call = Call {
                    arrival: nanos(self.begin + since),
                    number: self.number,
                    phase: self.phase,
                };
                self.number += 1;
                return Some(call);
            }
            self.phase += 1;
            self.begin += length;
            self.expected_before += length * phase.rate;
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a simulation begins at 0 and ends before the year 584"
)]
fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}
