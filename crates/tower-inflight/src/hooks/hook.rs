use std::fmt;

use super::guard::{REJECTION_HOOK, contain};
use super::task::HookTask;
use crate::Rejection;
use crate::desk::Desk;

/// What a limiter does about each rejection.
#[derive(Default)]
pub(crate) enum Hook {
    #[default]
    None,
    Plain(Box<dyn Fn(&Rejection) + Send + Sync>),
    Async(Box<AsyncHook>),
}

/// Starts the hook; its future is hidden in what comes back.
type AsyncHook = dyn Fn(&Desk, Rejection) -> Refused + Send + Sync;

/// A refused call on its way back to the caller.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The caller may know.
    Told(Rejection),
    /// The hook comes first.
    Telling(HookTask),
}

impl Hook {
    pub(crate) fn plain(hook: impl Fn(&Rejection) + Send + Sync + 'static) -> Self {
        Self::Plain(Box::new(hook))
    }

    pub(crate) fn awaited<F>(hook: impl Fn(Rejection) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self::Async(Box::new(move |desk, rejection| {
            match contain(desk, REJECTION_HOOK, || hook(rejection)) {
                Some(future) => Refused::Telling(HookTask::new(desk, rejection, future)),
                None => Refused::Told(rejection),
            }
        }))
    }

    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    pub(crate) fn tell(&self, desk: &Desk, rejection: Rejection) -> Refused {
        match self {
            Self::None => Refused::Told(rejection),
            Self::Plain(hook) => {
                contain(desk, REJECTION_HOOK, || hook(&rejection));
                Refused::Told(rejection)
            }
            Self::Async(hook) => hook(desk, rejection),
        }
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Plain(_) => "Plain",
            Self::Async(_) => "Async",
        })
    }
}
