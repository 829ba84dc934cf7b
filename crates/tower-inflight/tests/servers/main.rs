//! Servers with a limit, reached through real sockets.

#![expect(
    clippy::unwrap_used,
    reason = "what helps a test may fail as a test does"
)]

mod client;
mod grpc;
mod handler;
mod web;
