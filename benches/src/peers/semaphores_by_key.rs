//! The usual solution: a map from keys to semaphores, and a semaphore for all.
//!
//! The key's permit is taken first, then the total's, so that nobody holds a part of the total who
//! waits for a key. A semaphore is removed from the map when it is idle.

mod dashed;
mod locked;
mod table;

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use self::dashed::Dashed;
pub use self::locked::Locked;
pub use self::table::Table;
use crate::keyed::ByKey;

/// A semaphore for each key in use, in a `T`, and one for all of them.
#[derive(Debug)]
pub struct Semaphores<T>(Arc<Shared<T>>);

#[derive(Debug)]
struct Shared<T> {
    keys: T,
    key_limit: usize,
    total: Arc<Semaphore>,
}

/// Both permits. They go back before the key is looked after.
#[derive(Debug)]
#[expect(dead_code, reason = "it is kept to be dropped")]
pub struct Both<T: Table> {
    of_total: OwnedSemaphorePermit,
    of_key: OwnedSemaphorePermit,
    seat: Seat<T>,
}

/// Removes a key from the map, if nobody else has it.
#[derive(Debug)]
struct Seat<T: Table> {
    shared: Arc<Shared<T>>,
    key: u64,
}

impl<T: Table> Semaphores<T> {
    fn enter(&self, key: u64) -> (Seat<T>, Arc<Semaphore>) {
        let shared = Arc::clone(&self.0);
        let semaphore = shared.keys.enter(key, shared.key_limit);
        (Seat { shared, key }, semaphore)
    }
}

impl<T: Table> ByKey for Semaphores<T> {
    type Permit = Both<T>;

    fn new(total: usize, key_limit: usize) -> Self {
        Self(Arc::new(Shared {
            keys: T::default(),
            key_limit,
            total: Arc::new(Semaphore::new(total)),
        }))
    }

    #[inline]
    fn try_acquire(&self, key: u64) -> Option<Both<T>> {
        let (seat, semaphore) = self.enter(key);
        let of_key = semaphore.try_acquire_owned().ok()?;
        let of_total = Arc::clone(&self.0.total).try_acquire_owned().ok()?;
        Some(Both {
            of_total,
            of_key,
            seat,
        })
    }

    #[inline]
    fn acquire(&self, key: u64) -> impl Future + 'static + use<T> {
        let (seat, semaphore) = self.enter(key);
        async move {
            let of_key = semaphore.acquire_owned().await.ok()?;
            let total = Arc::clone(&seat.shared.total);
            let of_total = total.acquire_owned().await.ok()?;
            Some(Both {
                of_total,
                of_key,
                seat,
            })
        }
    }
}

impl<T> Clone for Semaphores<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Table> Drop for Seat<T> {
    fn drop(&mut self) {
        self.shared.keys.leave(self.key);
    }
}
