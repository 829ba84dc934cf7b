//! The only door to `std::sync`, so that loom can stand in for it.

pub(crate) use std::sync::PoisonError;

#[cfg(inflight_loom)]
pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(inflight_loom)]
pub(crate) use loom::sync::{Mutex, MutexGuard};

#[cfg(not(inflight_loom))]
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(inflight_loom))]
pub(crate) use std::sync::{Mutex, MutexGuard};
