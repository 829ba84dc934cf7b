//! Overloads an HTTP service that reads from a database, five times over.
//!
//! One process holds both sides, joined by loopback sockets: an axum server
//! whose one route runs an aggregate query through a small pool of database
//! connections, and an open-loop client. The client sends on a schedule
//! whatever becomes of the earlier requests, and counts a latency from the
//! moment that the schedule names; so neither a slow answer nor a busy client
//! hides the requests that had to wait.
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
mod observation;
mod options;
mod phase;
mod plan;
mod progress;
mod record;
mod report;
mod run;
mod server;
mod setting;
mod stop;
mod study;
mod timeline;
mod trial;

pub(crate) use self::options::Options;
pub(crate) use self::run::run;
