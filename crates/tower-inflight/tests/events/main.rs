//! What is said in the log, where the feature `tracing` is on.

#![cfg(feature = "tracing")]

mod hooks;
mod limits;
mod log;
mod rejections;
