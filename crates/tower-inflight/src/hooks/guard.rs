use std::any::Any;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::handle::Handle;

/// Runs a piece of a hook. A panic is counted and reported, and ends here.
///
/// Unwind safety is asserted: what a hook shares with the application is the
/// hook's to keep whole, and of ours it sees only a copied rejection.
pub(super) fn contain<T>(handle: &Handle, piece: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(piece)) {
        Ok(value) => Some(value),
        Err(payload) => {
            handle.hook_failed();
            report(handle, payload.as_ref());
            discard(payload);
            None
        }
    }
}

#[cfg(feature = "tracing")]
fn report(handle: &Handle, payload: &(dyn Any + Send)) {
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    tracing::error!(
        limiter = handle.name(),
        message = "a rejection hook panicked",
        panic = message,
    );
}

#[cfg(not(feature = "tracing"))]
fn report(_: &Handle, _: &(dyn Any + Send)) {}

/// Drops what was thrown. Its destructor may throw again; that is kept for
/// good, since nothing safe is left to do with it.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        let _kept = ManuallyDrop::new(again);
    }
}
