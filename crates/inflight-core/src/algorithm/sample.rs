use super::Outcome;

/// What one ended call tells an algorithm.
///
/// Times are nanoseconds on any scale that begins before the first call and
/// does not change. An algorithm takes a time that goes backwards as standing
/// still.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sample {
    /// When the call ended, in nanoseconds.
    pub now: u64,
    /// How long it took since it was let through, in nanoseconds. The wait
    /// before that is not part of it.
    pub latency: u64,
    /// How much was in flight just before this call gave its permit back,
    /// itself included.
    ///
    /// What is in flight falls only when calls end, so the greatest of these
    /// numbers is the most that was ever in flight between two samples.
    pub in_flight: usize,
    /// How it ended.
    pub outcome: Outcome,
}
