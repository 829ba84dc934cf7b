use std::time::Duration;

/// A time during which traffic and server stay the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// How long it lasts.
    pub length: Duration,
    /// How many calls a second arrive, in the mean; must be positive.
    pub rate: f64,
    /// How many calls the server serves at once. Where that falls, service
    /// that has begun goes on.
    pub workers: usize,
    /// How long a call takes after its service, without a worker.
    pub delay: Duration,
}
