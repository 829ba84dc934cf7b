use std::pin::Pin;
use std::task::{Context, Poll};

use inflight_core as core;

use crate::handle::Handle;

/// Resolves when nothing is in flight and nobody waits.
///
/// See [`Limiter::drained`](crate::Limiter::drained).
///
/// # Cancel safety
///
/// Dropping it ends the watch and changes nothing else.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Drained(core::Drained<Handle>);

impl Drained {
    pub(super) fn new(drained: core::Drained<Handle>) -> Self {
        Self(drained)
    }
}

impl Future for Drained {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(cx)
    }
}
