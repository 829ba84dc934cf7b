use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};

use inflight_core::Refusal;

use crate::Rejection;
use crate::events::Events;
use crate::hooks::{Hook, Refused};
use crate::reports::{Reasons, Reports};
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
    reports: Reports,
    events: Events,
}

impl Desk {
    pub(crate) fn new(sign: Sign, hook: Hook, reasons: Reasons) -> Self {
        Self(Arc::new(Shared {
            sign,
            hook,
            hook_failures: AtomicU64::new(0),
            reports: Reports::attach(sign.name(), reasons),
            events: Events::new(),
        }))
    }

    pub(crate) fn sign(&self) -> Sign {
        self.0.sign
    }

    pub(crate) fn name(&self) -> Option<&'static str> {
        self.0.sign.name()
    }

    pub(crate) fn reports(&self) -> &Reports {
        &self.0.reports
    }

    /// Whether nobody has to be told of a rejection but its caller.
    pub(crate) fn is_quiet(&self) -> bool {
        !self.has_listener() && !Events::are_heard()
    }

    /// Whether anybody but the caller and the log has to be told: this never
    /// changes.
    pub(crate) fn has_listener(&self) -> bool {
        !self.0.hook.is_none() || self.0.reports.is_on()
    }

    /// A refusal with the name of who refused.
    pub(crate) fn rejection(&self, refusal: Refusal) -> Rejection {
        Rejection::new(refusal, self.0.sign)
    }

    /// Counts, says, then tells the hook; what comes back still has to reach
    /// the caller.
    pub(crate) fn tell(&self, refusal: Refusal) -> Refused {
        let rejection = self.rejection(refusal);
        self.0.reports.rejected(rejection.reason());
        self.0.events.rejected(&rejection);
        self.0.hook.tell(self, rejection)
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
        self.0.reports.hook_failed();
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
