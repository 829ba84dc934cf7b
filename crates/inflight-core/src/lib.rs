//! The engine of `tower-inflight`: who may run now, who is next, and what the
//! limit should be.
//!
//! A [`Gate`] admits calls up to a [`Limit`], keeps a bounded line of those
//! that wait, and refuses the rest with the facts. It is synchronous and
//! deterministic: it has no clock, no runtime and no task of its own. Whoever
//! owns one says what time it is, by implementing [`Host`], and has the
//! operations in return.
//!
//! A [`KeyedGate`] does the same for many keys, each with a limit of its own
//! beside one for all: per tenant and in total, in one decision. Its host is a
//! [`KeyedHost`].
//!
//! Most users want `tower-inflight`, which puts layers and a handle around
//! this. Use the engine alone to build another front for it.
//!
//! # Guarantees
//!
//! - No permit is lost or given twice: a [`Permit`] or a [`Waiter`] that is
//!   dropped, at any moment, gives back or passes on what it holds, once.
//! - After an admission no more than the limit is in flight, or the call that
//!   was admitted is alone (one that is heavier than the limit, but not than
//!   the maximum).
//! - Nobody waits while there is room for whoever is next.
//! - Where nobody waits, admitting and giving back take one compare-exchange
//!   each, no lock, and allocate nothing.
//! - A waker that panics, or calls the gate, harms nobody else.

mod algorithm;
mod claim;
mod config_error;
mod drained;
mod gate;
mod grants;
mod host;
mod keyed;
mod limit;
mod line;
mod permit;
mod reason;
mod refusal;
mod room;
mod rules;
mod snapshot;
mod state;
mod sync;
mod threshold;
mod ticket;
mod turn;
mod waiter;
mod wake;
mod wakes;
mod word;

pub use self::algorithm::{
    Aimd, AimdOptions, Algorithm, Description, Evaluation, Gradient2, Gradient2Options, Growth,
    Outcome, Sample, Vegas, VegasOptions, Verdict, WindowSummary,
};
pub use self::config_error::ConfigError;
pub use self::drained::Drained;
pub use self::gate::Gate;
pub use self::host::{Arrival, Host};
pub use self::keyed::{
    Fairness, KeyLoad, KeyOverflow, KeyPlan, KeyedArrival, KeyedDrained, KeyedGate, KeyedHost,
    KeyedOptions, KeyedPermit, KeyedSnapshot, KeyedWait, KeyedWaiter, KeyedWakes,
};
pub use self::limit::Limit;
pub use self::permit::Permit;
pub use self::reason::Reason;
pub use self::refusal::{PackedRefusal, Refusal};
pub use self::rules::GateOptions;
pub use self::snapshot::Snapshot;
pub use self::ticket::Ticket;
pub use self::waiter::{Wait, Waiter};
pub use self::wakes::Wakes;
