use std::fmt;

use tokio::sync::watch;

use super::LimitChange;
use crate::desk::Desk;
use crate::hooks::contain;

/// Who is told when the limit changes, outside every lock.
#[derive(Default)]
pub(crate) struct News {
    hook: Option<Box<ChangeHook>>,
    latest: watch::Sender<Option<LimitChange>>,
}

type ChangeHook = dyn Fn(&LimitChange) + Send + Sync;

impl News {
    pub(crate) fn set_hook(&mut self, hook: impl Fn(&LimitChange) + Send + Sync + 'static) {
        self.hook = Some(Box::new(hook));
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<LimitChange>> {
        self.latest.subscribe()
    }

    pub(crate) fn tell(&self, desk: &Desk, change: &LimitChange) {
        event(change);
        // Contained too, since it wakes whoever waits for it.
        contain(desk, WATCHER, || self.publish(change));
        if let Some(hook) = &self.hook {
            contain(desk, HOOK, || hook(change));
        }
    }

    /// Two changes may get here in either order; the later one stays.
    fn publish(&self, change: &LimitChange) {
        self.latest.send_if_modified(|latest| {
            let is_newer = latest.is_none_or(|latest| latest.number() < change.number());
            if is_newer {
                *latest = Some(*change);
            }
            is_newer
        });
    }
}

#[cfg(feature = "tracing")]
fn event(change: &LimitChange) {
    tracing::debug!(
        limiter = change.name(),
        before = change.before(),
        after = change.after(),
        enforced = change.is_enforced(),
        cause = change.verdict().map(inflight_core::Verdict::as_str),
        "the limit changed",
    );
}

#[cfg(not(feature = "tracing"))]
fn event(_: &LimitChange) {}

impl fmt::Debug for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("News")
            .field("hook", &self.hook.is_some())
            .finish_non_exhaustive()
    }
}

const HOOK: &str = "a hook that is told of limits";
const WATCHER: &str = "a waker of somebody who watches the limit";
