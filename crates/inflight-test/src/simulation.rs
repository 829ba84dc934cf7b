//! A server that queues, in virtual time, behind a limit that an algorithm
//! sets.
//!
//! Calls arrive at random at a given rate, whatever becomes of them, and are
//! never tried again. One that finds the limit reached is refused. One that is
//! let in waits, first come first served, for one of a number of workers, is
//! served by it, and may then spend a time in a stage that holds no worker: a
//! dependency behind the server. When it ends, the algorithm gets its sample,
//! and then its permit goes back.
//!
//! Time is integer nanoseconds and costs nothing: an hour of it takes a second
//! or so. What is drawn by chance is a function of the seed and the number of
//! the call, so every algorithm meets the same calls with the same demands.
//!
//! ```
//! use std::time::Duration;
//!
//! use inflight_core::Limit;
//! use inflight_test::simulation::{Fixed, Phase, Scenario, ServiceTime};
//!
//! let calm = Phase {
//!     length: Duration::from_secs(10),
//!     rate: 100.0,
//!     workers: 4,
//!     delay: Duration::ZERO,
//! };
//! let scenario = Scenario {
//!     seed: 1,
//!     service_time: ServiceTime::exponential(Duration::from_millis(20)),
//!     contention: 0.0,
//!     deadline: Duration::from_millis(500),
//!     phases: vec![calm, Phase { rate: 400.0, ..calm }],
//! };
//!
//! let [calm, rush] = &scenario.run(&mut Fixed(Limit::new(8).unwrap()))[..] else {
//!     unreachable!("a report for each phase");
//! };
//! assert!(calm.refused() * 100 < calm.offered); // half of 4 workers' capacity
//! assert!(rush.goodput() > 0.45); // twice their capacity
//! ```

mod arrivals;
mod fixed;
mod phase;
mod random;
mod report;
mod run;
mod scenario;
mod server;
mod service_time;

pub use self::fixed::Fixed;
pub use self::phase::Phase;
pub use self::report::PhaseReport;
pub use self::scenario::Scenario;
pub use self::service_time::ServiceTime;
