//! What the engine promises about keys, one sentence a test.
//!
//! `F` numbers the failures that a test is about.

#![cfg(not(inflight_loom))]

mod asked;
mod bounds;
mod busy_clock;
mod changes;
mod clock;
mod eviction;
mod extremes;
mod facts;
mod fairness;
mod gates;
mod hostile;
mod isolation;
mod memory;
mod nesting;
mod odd_keys;
mod overflow;
mod proportion;
mod simulation;
mod table;
mod throng;
mod time;
mod views;
