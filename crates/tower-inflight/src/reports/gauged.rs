use inflight_core::Snapshot;

/// A limiter, as far as a collection of metrics reads it.
pub(crate) trait Gauged: Send + Sync {
    /// The numbers as they are now.
    fn snapshot(&self) -> Snapshot;
}
