//! What the tests and simulations of the inflight crates need.
//!
//! Nothing here reads a clock, sleeps, or needs a runtime: a test says what
//! happens next, and asks what came of it.
//!
//! ```
//! use inflight_test::{Task, Work};
//!
//! let work = Work::new();
//! let mut task = Task::new(work.start());
//! task.expect_pending();
//!
//! work.finish(0, "done");
//! assert!(task.is_woken());
//! assert_eq!(task.expect_ready(), "done");
//! ```
//!
//! | for | there is |
//! |---|---|
//! | an inner service that does as it is told | [`Script`], [`ScriptedService`] |
//! | work that ends on command, without a service | [`Work`], [`Job`] |
//! | polling by hand, and counting wake-ups | [`Task`], [`poll_once`], [`CountingWaker`] |
//! | wakers that misbehave | [`panicking_waker`], [`waker_on_wake`], [`waker_on_drop`] |
//! | time | [`ManualClock`] |
//! | a gate of the engine on such a clock | [`TestGate`], [`Queued`], [`TestKeyedGate`], [`KeyedQueued`] |
//! | a server that queues, in virtual time, behind an algorithm's limit | [`simulation`] |
//! | counting allocations (feature `allocations`) | `count_allocations` |

#[cfg(feature = "allocations")]
mod allocations;
mod clock;
mod gate;
mod service;
pub mod simulation;
mod task;
mod waker;
mod work;

#[cfg(feature = "allocations")]
pub use self::allocations::{Allocations, count_allocations};
pub use self::clock::ManualClock;
pub use self::gate::{KeyedQueued, Queued, TestGate, TestKeyedGate};
pub use self::service::{ReadinessCounts, Script, ScriptedService};
pub use self::task::{Task, poll_once};
pub use self::waker::{CountingWaker, panicking_waker, waker_on_drop, waker_on_wake};
pub use self::work::{Job, Work, WorkCounts};
