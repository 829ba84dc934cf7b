//! Every interleaving of a few threads at one gate, up to a bound on
//! preemptions; see `CONTRIBUTING.md` for the command and for a longer bound.
//!
//! Each model ends with everything given back and everyone accounted for. A
//! waiter that nobody wakes shows as a deadlock, which loom reports.

#![cfg(inflight_loom)]

#[path = "loom/admission.rs"]
mod admission;
#[path = "loom/cancellation.rs"]
mod cancellation;
#[path = "loom/closing.rs"]
mod closing;
#[path = "loom/completion.rs"]
mod completion;
#[path = "loom/deadlines.rs"]
mod deadlines;
#[path = "loom/eviction.rs"]
mod eviction;
#[path = "loom/grants.rs"]
mod grants;
#[path = "loom/hand_over.rs"]
mod hand_over;
#[path = "loom/house.rs"]
mod house;
#[path = "loom/keyed_admission.rs"]
mod keyed_admission;
#[path = "loom/keyed_hand_over.rs"]
mod keyed_hand_over;
#[path = "loom/keyed_house.rs"]
mod keyed_house;
#[path = "loom/keyed_pairs.rs"]
mod keyed_pairs;
#[path = "loom/keyed_table.rs"]
mod keyed_table;
#[path = "loom/meeting.rs"]
mod meeting;
#[path = "loom/pairs.rs"]
mod pairs;
#[path = "loom/resize.rs"]
mod resize;
#[path = "loom/snapshot.rs"]
mod snapshot;
#[path = "loom/weights.rs"]
mod weights;
