//! What a limiter tells through the `metrics` facade.

#![cfg(feature = "metrics")]

mod adding_up;
mod allocations;
mod counters;
mod exporter;
mod gauges;
mod meter;
mod times;
