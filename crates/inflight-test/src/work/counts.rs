/// How many jobs have come to what end.
///
/// `started = running + finished + panicked + dropped` at every moment.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct WorkCounts {
    /// Jobs that were ever started.
    pub started: usize,
    /// Jobs that have come to no end yet. One that was told to end runs until
    /// it is polled.
    pub running: usize,
    /// The most jobs that ran at one time.
    pub peak: usize,
    /// Jobs that gave their value.
    pub finished: usize,
    /// Jobs that panicked, at their start or in a poll.
    pub panicked: usize,
    /// Jobs that were dropped before they came to an end.
    pub dropped: usize,
    /// Jobs that still exist, those that came to an end and were not dropped
    /// since included.
    pub alive: usize,
}
