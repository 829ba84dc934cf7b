use std::hash::Hash;
use std::pin::Pin;
use std::task::{Context, Poll};

use inflight_core as core;

use super::handle::KeyedHandle;

/// Resolves when nothing is in flight and nobody waits, under any key.
///
/// See [`KeyedLimiter::drained`](crate::KeyedLimiter::drained).
///
/// # Cancel safety
///
/// Dropping it ends the watch and changes nothing else.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct KeyedDrained<K: Eq + Hash>(core::KeyedDrained<KeyedHandle<K>>);

impl<K: Eq + Hash> KeyedDrained<K> {
    pub(super) fn new(drained: core::KeyedDrained<KeyedHandle<K>>) -> Self {
        Self(drained)
    }
}

impl<K: Eq + Hash> Future for KeyedDrained<K> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(cx)
    }
}
