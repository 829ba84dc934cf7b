use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};

use inflight_core::{Gate, Host, Refusal};

use crate::adaptive::Controller;
use crate::clock::Clock;
use crate::hooks::{Hook, Refused};
use crate::sign::Sign;
use crate::{LimiterOptions, Rejection};

/// The way from a permit, a waiter or a service to the gate they share.
///
/// One reference count for each call in flight. Nothing outside this file
/// knows that it is an `Arc`.
#[derive(Clone)]
pub(crate) struct Handle(Arc<Shared>);

struct Shared {
    gate: Gate,
    clock: Clock,
    sign: Sign,
    hook: Hook,
    hook_failures: AtomicU64,
    options: LimiterOptions,
    /// What moves the limit; a fixed one has nothing of the kind.
    controller: Option<Controller>,
}

impl Handle {
    pub(crate) fn new(
        gate: Gate,
        options: LimiterOptions,
        sign: Sign,
        hook: Hook,
        controller: Option<Controller>,
    ) -> Self {
        Self(Arc::new(Shared {
            gate,
            clock: Clock::start(),
            sign,
            hook,
            hook_failures: AtomicU64::new(0),
            options,
            controller,
        }))
    }

    /// A refusal with the name of who refused.
    #[inline]
    pub(crate) fn rejection(&self, refusal: Refusal) -> Rejection {
        Rejection::new(refusal, self.0.sign)
    }

    #[inline]
    pub(crate) fn sign(&self) -> Sign {
        self.0.sign
    }

    /// Whether somebody has to be told of a rejection before its caller.
    #[inline]
    pub(crate) fn has_hook(&self) -> bool {
        !self.0.hook.is_none()
    }

    /// Tells the hook; what comes back still has to reach the caller.
    pub(crate) fn tell(&self, rejection: Rejection) -> Refused {
        self.0.hook.tell(self, rejection)
    }

    /// Tells the hook for a caller who cannot wait: one that would keep it
    /// waiting is given up.
    pub(crate) fn tell_at_once(&self, rejection: Rejection) {
        if let Refused::Telling(mut task) = self.tell(rejection) {
            let mut cx = Context::from_waker(Waker::noop());
            if Pin::new(&mut task).poll(&mut cx).is_pending() {
                self.hook_failed();
            }
        }
    }

    #[inline]
    pub(crate) fn controller(&self) -> Option<&Controller> {
        self.0.controller.as_ref()
    }

    pub(crate) fn options(&self) -> &LimiterOptions {
        &self.0.options
    }

    pub(crate) fn name(&self) -> Option<&'static str> {
        self.0.sign.name()
    }

    pub(crate) fn hook_failed(&self) {
        // Display only: it orders nothing.
        self.0.hook_failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn hook_failures(&self) -> u64 {
        // Display only: it orders nothing.
        self.0.hook_failures.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn clock(&self) -> Clock {
        self.0.clock
    }
}

impl Host for Handle {
    #[inline]
    fn gate(&self) -> &Gate {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        self.0.clock.now()
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}
