//! Tenants that share a service: what a noisy one costs the others, and what
//! keys cost the process.

#![expect(
    clippy::unwrap_used,
    reason = "what helps a test may fail as a test does"
)]

mod field;
mod memory;
mod noisy;
mod traffic;
mod turns;
