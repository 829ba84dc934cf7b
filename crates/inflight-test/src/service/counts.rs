/// How often a scripted service was asked for readiness, and who holds it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct ReadinessCounts {
    /// Calls of `poll_ready`, on all clones.
    pub polls: usize,
    /// Clones that were told they are ready, and have neither been called nor
    /// dropped since.
    pub reserved: usize,
    /// Clones whose last `poll_ready` was pending.
    pub waiting: usize,
    /// Clones that exist.
    pub clones: usize,
}
