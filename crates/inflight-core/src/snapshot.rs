/// A gate's numbers at one moment, never a mixture of two.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Snapshot {
    /// How much may be in flight now, in units of weight.
    pub limit: usize,
    /// The most that `limit` may become; of a fixed gate its limit.
    pub max_limit: usize,
    /// Permits held, in units of weight, those handed to waiters that have
    /// not been polled since among them. Above `limit` for a while after the
    /// limit fell.
    pub in_flight: usize,
    /// What is left of `limit`; 0 while `in_flight` is above it.
    pub available: usize,
    /// Callers that wait, whatever their weight.
    pub queued: usize,
}
