use inflight_benches::{Bar, Subject, Unit};

/// A question, whom we measure ourselves against, and what we promise.
pub(crate) struct Promise {
    pub(crate) question: &'static str,
    pub(crate) peer: &'static str,
    pub(crate) bar: Bar,
    pub(crate) unit: Unit,
    /// How many wait in the line, where there is one.
    pub(crate) waiting: usize,
    /// How many operations make sense at once, if less does not.
    pub(crate) at_once: u64,
    pub(crate) ours: fn(usize) -> Subject,
    pub(crate) theirs: fn(usize) -> Subject,
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
}

/// How many threads call at once where throughput is asked for.
pub(crate) const THREADS: u32 = 2;
