use std::fmt;

use crate::breakdown::Breakdown;
use crate::effort::Effort;
use crate::floor::Floor;
use crate::outcome::{Bar, Outcome, Unit};
use crate::samples::Samples;
use crate::subject::Subject;

/// A question, whom we measure ourselves against, and what we promise.
pub struct Promise {
    /// What is asked.
    pub question: &'static str,
    /// Whose answer stands beside ours.
    pub peer: &'static str,
    /// What is promised.
    pub bar: Bar,
    unit: Unit,
    waiting: usize,
    at_once: u64,
    floor: Option<Floor>,
    ours: Make,
    theirs: Make,
}

/// How a subject is made for a line of some length.
type Make = fn(usize) -> Subject;

impl Promise {
    /// Our time is at most `most` times the peer's.
    pub(crate) const fn at_most(
        most: f64,
        question: &'static str,
        ours: Make,
        peer: &'static str,
        theirs: Make,
    ) -> Self {
        Self {
            question,
            peer,
            bar: Bar::AtMost(most),
            unit: Unit::Nanoseconds,
            waiting: 0,
            at_once: 1,
            floor: None,
            ours,
            theirs,
        }
    }

    /// Our throughput, on two threads, is at least `least` times the peer's.
    pub(crate) const fn at_least(
        least: f64,
        question: &'static str,
        ours: Make,
        peer: &'static str,
        theirs: Make,
    ) -> Self {
        let mut promise = Self::at_most(0.0, question, ours, peer, theirs);
        promise.bar = Bar::AtLeast(least);
        promise.unit = Unit::MillionsPerSecond;
        promise
    }

    /// With so many in the line.
    pub(crate) const fn waiting(mut self, waiting: usize) -> Self {
        self.waiting = waiting;
        self
    }

    /// With so many in the line, all of whom leave in one go.
    pub(crate) const fn leaving(mut self, waiting: usize) -> Self {
        self.at_once = waiting as u64;
        self.waiting(waiting)
    }

    /// With what our way to do it needs at least.
    pub(crate) const fn above(mut self, floor: Floor) -> Self {
        self.floor = Some(floor);
        self
    }

    /// Finds out what it is worth.
    pub fn measure(&self, effort: &Effort) -> Outcome {
        let waiting = self.waiting.min(effort.most);
        let subjects = || vec![(self.ours)(waiting), (self.theirs)(waiting)];
        self.outcome(&effort.measure(self.at_once(effort), subjects))
    }

    /// Finds out what our way needs at least, where that has been counted.
    pub fn break_down(&self, effort: &Effort) -> Option<Breakdown> {
        let waiting = self.waiting.min(effort.most);
        let floor = self.floor.as_ref()?;
        Some(floor.measure(waiting, self.at_once(effort), effort))
    }

    /// Whether what our way needs at least has been counted.
    pub fn has_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// Our way to do it, with as long a line as is asked for.
    pub fn ours(&self) -> Subject {
        (self.ours)(self.waiting)
    }

    /// The peer's.
    pub fn theirs(&self) -> Subject {
        (self.theirs)(self.waiting)
    }

    /// What is at the bottom of our floor, if there is one.
    pub fn base(&self) -> Option<Subject> {
        let floor = self.floor.as_ref()?;
        Some(floor.base.subject(self.waiting))
    }

    fn at_once(&self, effort: &Effort) -> u64 {
        self.at_once.min(effort.most as u64)
    }

    fn outcome(&self, samples: &Samples) -> Outcome {
        let (ours, theirs) = (samples.nanoseconds(0), samples.nanoseconds(1));
        let ratio = samples.ratio(0, 1);
        let (ours, theirs, ratio) = match self.unit {
            Unit::MillionsPerSecond => (throughput(ours), throughput(theirs), ratio.recip()),
            _ => (ours, theirs, ratio),
        };
        let (peer, ours) = ((self.peer, theirs), (ours, self.unit));
        Outcome::compared(self.question, peer, ours, ratio, self.bar)
    }
}

impl fmt::Debug for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Promise")
            .field("question", &self.question)
            .field("bar", &self.bar)
            .finish_non_exhaustive()
    }
}

/// Millions of operations in a second, of all threads together.
fn throughput(nanoseconds: f64) -> f64 {
    f64::from(THREADS) * 1e3 / nanoseconds
}

/// How many threads call at once where throughput is asked for.
pub(crate) const THREADS: u32 = 2;
