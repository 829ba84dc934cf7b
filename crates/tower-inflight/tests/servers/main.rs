//! Servers with a limit, reached through real sockets.

#![expect(
    clippy::unwrap_used,
    reason = "what helps a test may fail as a test does"
)]

mod blocking;
mod client;
mod grpc;
mod h2;
mod handler;
mod liars;
mod routes;
mod shutdown;
mod streams;
mod upgrades;
mod web;
mod worker;
