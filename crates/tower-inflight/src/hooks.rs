//! What is told of a rejection, before its caller is.
//!
//! A hook is the application's code, so whatever it does must not reach the
//! limiter: it runs outside every lock, after all accounting, and its panics
//! end here, those of its destructors included.

mod guard;
mod hook;
mod task;

pub(crate) use self::guard::{Caught, attempt, contain};
pub(crate) use self::hook::{Hook, Refused};
pub(crate) use self::task::HookTask;
