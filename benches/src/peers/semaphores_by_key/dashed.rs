use std::sync::Arc;

use dashmap::DashMap;
use tokio::sync::Semaphore;

use super::Table;

/// A `DashMap`, whose parts have locks of their own.
#[derive(Debug, Default)]
pub struct Dashed(DashMap<u64, Arc<Semaphore>>);

impl Table for Dashed {
    #[inline]
    fn enter(&self, key: u64, permits: usize) -> Arc<Semaphore> {
        let semaphore = self
            .0
            .entry(key)
            .or_insert_with(|| Arc::new(Semaphore::new(permits)));
        Arc::clone(&semaphore)
    }

    #[inline]
    fn leave(&self, key: u64) {
        self.0
            .remove_if(&key, |_, semaphore| Arc::strong_count(semaphore) == 1);
    }
}
