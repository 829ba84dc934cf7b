//! What is measured: our layers, and the limiter and the gate beneath them.
//!
//! The files say the same as those of the [`peers`](crate::peers).

pub mod adaptive;
pub mod concurrency_limit;
pub mod gate;
pub mod keyed;
pub mod limiter;
pub mod priority_queue;
