use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::host::KeyedHost;
use crate::wake::discard;

/// Resolves when nothing is in flight and nobody waits, under any key.
///
/// It watches from its first poll on: if the gate is drained for a moment
/// between two polls, the second one says so. While anybody watches, every
/// call takes the lock of the line.
///
/// # Cancel safety
///
/// Dropping it ends the watch and changes nothing else.
#[must_use = "futures do nothing unless polled"]
pub struct KeyedDrained<H: KeyedHost> {
    host: H,
    watcher: Option<u32>,
}

impl<H: KeyedHost> KeyedDrained<H> {
    pub(super) fn new(host: H) -> Self {
        Self {
            host,
            watcher: None,
        }
    }
}

impl<H: KeyedHost + Unpin> Future for KeyedDrained<H> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut waker = Some(cx.waker().clone());
        let mut turn = self.host.gate().begin();
        let (watcher, old) = match self.watcher {
            None => (turn.watch(&mut waker), None),
            Some(watcher) => turn.watchers.poll(watcher, &mut waker),
        };
        turn.end();
        self.watcher = watcher;
        discard(old);
        discard(waker);
        match watcher {
            None => Poll::Ready(()),
            Some(_) => Poll::Pending,
        }
    }
}

impl<H: KeyedHost> Drop for KeyedDrained<H> {
    fn drop(&mut self) {
        if let Some(watcher) = self.watcher {
            let mut turn = self.host.gate().begin();
            let waker = turn.watchers.remove(watcher);
            turn.end();
            discard(waker);
        }
    }
}

impl<H: KeyedHost> fmt::Debug for KeyedDrained<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedDrained")
            .field("watching", &self.watcher.is_some())
            .finish_non_exhaustive()
    }
}
