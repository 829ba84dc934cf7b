use std::any::Any;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::desk::Desk;

/// Runs a piece of the application's code. A panic of `who` is counted and
/// reported, and ends here.
///
/// Unwind safety is asserted: what a hook shares with the application is the
/// hook's to keep whole, and of ours it sees only a copied rejection.
pub(crate) fn contain<T>(desk: &Desk, who: &'static str, piece: impl FnOnce() -> T) -> Option<T> {
    match attempt(piece) {
        Ok(value) => Some(value),
        Err(caught) => {
            caught.account(desk, who);
            None
        }
    }
}

/// Runs a piece of the application's code under a lock: what came of a panic
/// is for later.
pub(crate) fn attempt<T>(piece: impl FnOnce() -> T) -> Result<T, Caught> {
    catch_unwind(AssertUnwindSafe(piece)).map_err(Caught)
}

/// A panic that is yet to be counted and reported, which runs more of the
/// application's code.
#[must_use = "it has to be accounted for"]
pub(crate) struct Caught(Box<dyn Any + Send>);

impl Caught {
    pub(crate) fn account(self, desk: &Desk, who: &'static str) {
        desk.hook_failed();
        report(desk, who, self.0.as_ref());
        discard(self.0);
    }
}

#[cfg(feature = "tracing")]
fn report(desk: &Desk, who: &'static str, payload: &(dyn Any + Send)) {
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    tracing::error!(limiter = desk.name(), panic = message, "{who} panicked",);
}

#[cfg(not(feature = "tracing"))]
fn report(_: &Desk, _: &'static str, _: &(dyn Any + Send)) {}

/// Drops what was thrown. Its destructor may throw again; that is kept for
/// good, since nothing safe is left to do with it.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        let _kept = ManuallyDrop::new(again);
    }
}

/// Who panicked, if it was a hook that is told of rejections.
pub(super) const REJECTION_HOOK: &str = "a rejection hook";
