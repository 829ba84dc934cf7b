//! The only door to `std::sync`, so that loom can stand in for it.

pub(crate) use std::sync::{OnceLock, PoisonError};

#[cfg(inflight_loom)]
pub(crate) use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
#[cfg(inflight_loom)]
pub(crate) use loom::sync::{Mutex, MutexGuard};

#[cfg(not(inflight_loom))]
pub(crate) use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
#[cfg(not(inflight_loom))]
pub(crate) use std::sync::{Mutex, MutexGuard};

/// How keys are hashed: loom wants every run to be the same.
#[cfg(inflight_loom)]
pub(crate) type RandomState = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;
#[cfg(not(inflight_loom))]
pub(crate) use std::hash::RandomState;
