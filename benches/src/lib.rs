//! What the limits cost beside their peers: the harness.
//!
//! A [`Subject`] is one way to do one thing, ready to be timed. The modules named after a question
//! ([`calls`], [`hand_over`], [`eviction`], [`cancellation`], [`keyed`], [`threads`], [`memory`]) make subjects
//! of whatever they are given, so that [`ours`] and each of the [`peers`] go through the same code.
//! No runtime is in what is timed: futures are polled by hand, with a waker that does nothing.
//!
//! `benches/` asks each question of everybody; the program `ratios` compares the answers with what
//! we [promise](promises), `floors` takes them apart, and `growth` draws how they grow with the line.

#![expect(
    clippy::missing_panics_doc,
    reason = "every step checks that it measures what it says it does"
)]

mod base;
mod breakdown;
pub mod calls;
pub mod cancellation;
mod chase;
mod clock;
mod effort;
pub mod eviction;
mod floor;
pub mod hand_over;
mod inner;
pub mod keyed;
pub mod line;
pub mod memory;
mod order;
pub mod ours;
mod outcome;
mod paced;
pub mod peers;
mod places;
mod primitive;
mod promise;
mod promises;
mod question;
mod samples;
mod subject;
pub mod threads;

pub use self::base::Base;
pub use self::breakdown::Breakdown;
pub use self::effort::Effort;
pub use self::floor::Need;
pub use self::inner::{Answer, Inner, Request};
pub use self::order::Priorities;
pub use self::outcome::{Bar, Outcome, Unit};
pub use self::paced::{Paced, median};
pub use self::peers::ROOM;
pub use self::primitive::Primitive;
pub use self::promise::Promise;
pub use self::promises::promises;
pub use self::question::{Contender, ask, criterion};
pub use self::samples::Samples;
pub use self::subject::Subject;
