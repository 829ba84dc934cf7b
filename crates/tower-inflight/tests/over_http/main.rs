//! What the layers know of HTTP and gRPC, without a socket.

#![expect(
    clippy::unwrap_used,
    reason = "what helps a test may fail as a test does"
)]

mod bodies;
mod broken_bodies;
mod by_status;
mod claims;
mod crowd;
mod destructors;
mod exempt;
mod panicking;
mod permit_handle;
mod priority;
mod refusing;
mod respond;
mod time_left;
mod until_body;
mod uploads;
mod weight;
