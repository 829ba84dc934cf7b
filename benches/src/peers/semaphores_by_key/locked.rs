use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::Table;

/// A `HashMap` behind one lock.
#[derive(Debug, Default)]
pub struct Locked(Mutex<HashMap<u64, Arc<Semaphore>>>);

impl Table for Locked {
    #[inline]
    fn enter(&self, key: u64, permits: usize) -> Arc<Semaphore> {
        let mut map = self.0.lock().expect("no holder of the lock panics");
        let semaphore = map
            .entry(key)
            .or_insert_with(|| Arc::new(Semaphore::new(permits)));
        Arc::clone(semaphore)
    }

    #[inline]
    fn leave(&self, key: u64) {
        let mut map = self.0.lock().expect("no holder of the lock panics");
        if let Entry::Occupied(entry) = map.entry(key)
            && Arc::strong_count(entry.get()) == 1
        {
            entry.remove();
        }
    }
}
