//! Overloads an HTTP service that reads from a database, six times over.
//!
//! One process holds both sides, joined by loopback sockets: an axum server
//! whose one route runs an aggregate query through a small pool of database
//! connections, and an open-loop client. The client sends on a schedule
//! whatever becomes of the earlier requests, and counts a latency from the
//! moment that the schedule names; so neither a slow answer nor a busy client
//! hides the requests that had to wait. At the end each request asks for more, so
//! that the database is slower for a while.
//!
//! ```text
//! options ─► setting ─► capacity ─► arrivals ─► trial × contender ─► report
//!                          │                        │
//!                          └──── server, client ────┘
//! ```
//!
//! Each [`Contender`](contender::Contender) meets the same arrivals on a fresh
//! server whose pool has nothing to do.

mod arrivals;
mod capacity;
mod client;
mod contender;
mod database;
mod laboratory;
mod latencies;
mod limits;
mod observation;
mod options;
mod phase;
mod plan;
mod progress;
mod record;
mod report;
mod rig;
mod run;
mod server;
mod setting;
mod study;
mod timeline;
mod trial;

pub(crate) use self::options::Options;
pub(crate) use self::run::run;
