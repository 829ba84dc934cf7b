//! The algorithms against tables worked out by hand.
//!
//! Numbers as `K98` or `F131` name the cases that a test settles.

mod aimd_baseline;
mod aimd_censoring;
mod aimd_congestion;
mod aimd_growth;
mod aimd_idle_baseline;
mod aimd_min_samples;
mod aimd_options;
mod aimd_overload_share;
mod aimd_relearning;
mod aimd_steps;
mod aimd_windows;
mod description;
mod evaluation;
mod gradient2;
#[cfg(not(inflight_loom))]
mod property;
mod trace;
mod vegas;
