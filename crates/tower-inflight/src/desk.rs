use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};

use inflight_core::Refusal;

use crate::Rejection;
use crate::hooks::{Hook, Refused};
use crate::sign::Sign;

/// Where those who are turned away are told, whatever kind of limiter did it.
///
/// A hook may outlive the call that was rejected, so it is shared.
#[derive(Clone)]
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct Desk(Arc<Shared>);

struct Shared {
    sign: Sign,
    hook: Hook,
    hook_failures: AtomicU64,
}

impl Desk {
    pub(crate) fn new(sign: Sign, hook: Hook) -> Self {
        Self(Arc::new(Shared {
            sign,
            hook,
            hook_failures: AtomicU64::new(0),
        }))
    }

    pub(crate) fn sign(&self) -> Sign {
        self.0.sign
    }

    pub(crate) fn name(&self) -> Option<&'static str> {
        self.0.sign.name()
    }

    /// Whether somebody has to be told of a rejection before its caller.
    pub(crate) fn has_hook(&self) -> bool {
        !self.0.hook.is_none()
    }

    /// A refusal with the name of who refused.
    pub(crate) fn rejection(&self, refusal: Refusal) -> Rejection {
        Rejection::new(refusal, self.0.sign)
    }

    /// Tells the hook; what comes back still has to reach the caller.
    pub(crate) fn tell(&self, refusal: Refusal) -> Refused {
        self.0.hook.tell(self, self.rejection(refusal))
    }

    /// Tells the hook for a caller who cannot wait: one that would keep it
    /// waiting is given up.
    pub(crate) fn tell_at_once(&self, refusal: Refusal) -> Rejection {
        if let Refused::Telling(mut task) = self.tell(refusal) {
            let mut cx = Context::from_waker(Waker::noop());
            if Pin::new(&mut task).poll(&mut cx).is_pending() {
                self.hook_failed();
            }
        }
        self.rejection(refusal)
    }

    pub(crate) fn hook_failed(&self) {
        // Display only: it orders nothing.
        self.0.hook_failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn hook_failures(&self) -> u64 {
        // Display only: it orders nothing.
        self.0.hook_failures.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk")
            .field("sign", &self.0.sign)
            .field("hook", &self.0.hook)
            .finish_non_exhaustive()
    }
}
