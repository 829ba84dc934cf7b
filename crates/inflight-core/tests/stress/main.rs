//! Real threads on one gate; whoever is forgotten waits for ever.

#![cfg(not(inflight_loom))]

mod block_on;
mod chance;
mod crowd;
mod gates;
mod keyed;
mod occupancy;
mod races;
