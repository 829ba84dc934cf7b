use std::fmt;
use std::sync::Arc;

use tokio::sync::Semaphore;

/// A map from keys to semaphores.
pub trait Table: Default + fmt::Debug + Send + Sync + 'static {
    /// The semaphore of a key, made with `permits` if there is none.
    fn enter(&self, key: u64, permits: usize) -> Arc<Semaphore>;

    /// Removes a semaphore that nobody holds any more.
    fn leave(&self, key: u64);
}
