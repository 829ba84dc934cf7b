//! Streams, upgrades, tasks and threads: a permit lives as long as the work.
//!
//! A layer holds the permit until the response future is ready. For a handler
//! that computes its answer, that is the work. These go on after it:
//!
//! | what goes on | where the permit has to go |
//! |---|---|
//! | a response whose body is made while it is sent | into the body: `UntilBody` |
//! | a websocket, or another upgrade | into the task that serves it: `PermitHandle` |
//! | `spawn_blocking`, which nothing can cancel | into the closure: a `PermitHandle`, or the permit itself |
//! | a task that is spawned and forgotten | into the task: the same |
//!
//! `UntilBody` and `PermitHandle` belong to the feature `http`, and are chosen
//! with [`hold`](crate::ConcurrencyLimitLayer::with_hold).
//!
//! And it is a choice. A limit that protects a database may end with the
//! response, if the body comes from memory; then slow readers cost nothing.
//! One that protects what the body is made from has to last as long, and then
//! a client that reads slowly, or not at all, holds a permit: put a timeout
//! on the writing, too.
//!
//! # Work that outlives its caller
//!
//! When a client goes away, its request's future is dropped, and with it the
//! permit. A thread that it has started goes on. If the permit was not moved
//! into it, there are soon more threads at work than the limit says.
//!
//! ```
//! use std::sync::mpsc;
//! use tower_inflight::{Limiter, Rejection};
//!
//! /// What the thread does may not be cancelled, so the permit goes along.
//! async fn convert(limiter: Limiter, work: mpsc::Receiver<()>) -> Result<(), Rejection> {
//!     let permit = limiter.acquire().await?;
//!     let thread = tokio::task::spawn_blocking(move || {
//!         let _permit = permit;
//!         let _ = work.recv(); // a picture, say
//!     });
//!     thread.await.expect("it does not panic");
//!     Ok(())
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let limiter = Limiter::new(1);
//! let (end, work) = mpsc::channel();
//! let request = tokio::spawn(convert(limiter.clone(), work));
//! while limiter.snapshot().in_flight == 0 {
//!     tokio::task::yield_now().await;
//! }
//!
//! request.abort();
//! assert!(request.await.unwrap_err().is_cancelled());
//! assert_eq!(limiter.snapshot().in_flight, 1); // the thread still works
//!
//! end.send(()).unwrap();
//! limiter.drained().await;
//! # }
//! ```
//!
//! # HTTP/2: those who wait keep part of the window
//!
//! All calls of one connection share its flow-control window. Nobody reads the
//! body of a call that waits, so what has arrived of it stays in the window.
//! When the bodies of those who wait fill it, the one that runs cannot read on,
//! and never ends: none of them does. hyper's own settings allow 200 streams,
//! and one MiB for a stream as for the connection; a hundred posts of 64 KiB
//! through a limit of 1 stop after sixteen. Any of these helps:
//!
//! - a **queue timeout**: who waits is turned away, and the window is free. With
//!   `axum::serve`, which has no settings for it, this is the way;
//! - **room for all**: `initial_connection_window_size` at least
//!   `max_concurrent_streams` × `initial_stream_window_size`;
//! - **fewer streams** than the limit and what the window holds.
//!
//! The first is worth having in any case.
