//! Those who call: tasks of a runtime, and threads of their own.

mod meddling;
mod patience;
mod task;
mod thread;

pub(crate) use self::task::call_from_task;
pub(crate) use self::thread::call_from_thread;
