//! `KeyedLimiter`, without a service around it.

use tower_inflight::{KeyedLimiter, KeyedPermit};

use crate::keyed::ByKey;

/// Both limits in one admission.
#[derive(Clone, Debug)]
pub struct Keyed(KeyedLimiter<u64>);

impl ByKey for Keyed {
    type Permit = KeyedPermit<u64>;

    fn new(total: usize, key_limit: usize) -> Self {
        let limiter = KeyedLimiter::builder()
            .max_concurrency(total)
            .key_max_concurrency(key_limit)
            .queue_limit(usize::MAX)
            .key_queue_limit(usize::MAX)
            .max_keys(usize::MAX)
            .build_limiter();
        Self(limiter.expect("the settings are valid"))
    }

    #[inline]
    fn try_acquire(&self, key: u64) -> Option<KeyedPermit<u64>> {
        self.0.try_acquire(key).ok()
    }

    #[inline]
    fn acquire(&self, key: u64) -> impl Future + 'static + use<> {
        self.0.acquire(key)
    }
}
