use std::time::Duration;

/// How much a contender with a limit lets in, each as far as it can.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Requests that may run at once.
    pub(crate) limit: usize,
    /// Requests that may wait.
    pub(crate) queue: usize,
    /// The longest that one may wait.
    pub(crate) queue_timeout: Duration,
}
