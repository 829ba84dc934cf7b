//! A limit for each key and one for all of them, decided together.
//!
//! A call runs when its key *and* the total have room; there is one admission,
//! so nothing is held of one bound while the other is waited for, and no order
//! of acquisition can deadlock. The parts:
//!
//! - Keys live in [`shards`], each under a lock of its own. An
//!   [`entry`](self::entry) holds what one key has in flight, and is gone the
//!   moment nothing runs or waits under it.
//! - The total has the same packed word as a plain gate. Where nobody of the
//!   key waits and no waiter could use room in the total, a call is admitted
//!   and given back under its shard's lock with one compare-exchange.
//! - Those who wait stand in [`state`], under one lock for all keys: a line for
//!   each [`tenant`], and an [`order`] of those tenants whose next caller fits
//!   their own limit. Tenants that are blocked by their own limit are not in
//!   it, so a free slot finds its taker without passing over anybody.
//!
//! The lock of the line is taken before that of a shard, never the other way
//! round, and one shard is locked at a time.

mod account;
mod arrival;
mod census;
mod deadlines;
mod decision;
mod drained;
mod entrance;
mod entry;
mod exit;
mod fairness;
mod gate;
mod home;
mod host;
mod line;
mod list;
mod members;
mod options;
mod order;
mod overflow;
mod permit;
mod plan;
mod ranks;
mod refusals;
mod rules;
mod shard;
mod shards;
mod slots;
mod snapshot;
mod state;
mod tenant;
mod turn;
mod virtual_time;
mod waiter;
mod waiting;
mod wakes;
mod watchers;

pub use self::arrival::KeyedArrival;
pub use self::drained::KeyedDrained;
pub use self::fairness::Fairness;
pub use self::gate::KeyedGate;
pub use self::host::KeyedHost;
pub use self::options::KeyedOptions;
pub use self::overflow::KeyOverflow;
pub use self::permit::KeyedPermit;
pub use self::plan::KeyPlan;
pub use self::snapshot::{KeyLoad, KeyedSnapshot};
pub use self::waiter::{KeyedWait, KeyedWaiter};
pub use self::wakes::KeyedWakes;
