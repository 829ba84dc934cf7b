use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::Host;
use crate::line::Key;
use crate::wake::discard;

/// Resolves when nothing is in flight and nobody waits.
///
/// It watches from its first poll on: if the gate is drained for a moment
/// between two polls, the second one says so. While anybody watches, every
/// call takes the gate's lock.
///
/// # Cancel safety
///
/// Dropping it ends the watch and changes nothing else.
#[must_use = "futures do nothing unless polled"]
pub struct Drained<H: Host> {
    host: H,
    key: Key,
}

impl<H: Host> Drained<H> {
    pub(crate) fn new(host: H) -> Self {
        Self {
            host,
            key: Key::NONE,
        }
    }
}

impl<H: Host + Unpin> Future for Drained<H> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut waker = Some(cx.waker().clone());
        let mut turn = self.host.gate().begin();
        let (drained, old) = if self.key.is_none() {
            let key = turn.watch(&mut waker);
            if let Some(key) = key {
                self.host.gate().grants.reserve(key);
            }
            turn.end();
            self.key = key.unwrap_or(Key::NONE);
            (key.is_none(), None)
        } else {
            let answer = turn.poll_watcher(self.key, &mut waker);
            turn.end();
            if answer.0 {
                self.key = Key::NONE;
            }
            answer
        };
        discard(old);
        discard(waker);
        if drained {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl<H: Host> Drop for Drained<H> {
    fn drop(&mut self) {
        if !self.key.is_none() {
            let mut turn = self.host.gate().begin();
            let waker = turn.unwatch(self.key);
            turn.end();
            discard(waker);
        }
    }
}

impl<H: Host> fmt::Debug for Drained<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drained")
            .field("watching", &!self.key.is_none())
            .finish_non_exhaustive()
    }
}
