use std::panic::{AssertUnwindSafe, catch_unwind};

#[track_caller]
pub(crate) fn expect_panic<T>(action: impl FnOnce() -> T) {
    let outcome = catch_unwind(AssertUnwindSafe(action));
    assert!(outcome.is_err(), "it has to panic");
}
