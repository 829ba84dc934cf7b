//! What becomes of those who wait when a process ends.
//!
//! Two tools, which can be combined:
//!
//! - [`drained()`](crate::Limiter::drained) resolves when nothing is in flight
//!   and nobody waits. It turns nobody away.
//! - [`close()`](crate::Limiter::close) turns away all who wait and all who come
//!   later, as [`closed`](crate::Reason::Closed). What runs, runs on.
//!
//! # The recipe
//!
//! 1. Stop taking in new work: the listener goes, the health check fails.
//! 2. Give those who wait some time to be served.
//! 3. Close the limiter. Who still waits is told at once, and can go elsewhere
//!    while its caller has time left.
//! 4. Give those who run some time to end. A timeout around the work bounds
//!    that; if there is none, let go of the server's future.
//!
//! ```
//! use std::time::Duration;
//! use tokio::time::{sleep, timeout};
//! use tower_inflight::{Limiter, Reason};
//!
//! /// Serves those who wait for so long, and turns the others away.
//! async fn wind_down(limiter: &Limiter, grace: Duration) {
//!     if timeout(grace, limiter.drained()).await.is_err() {
//!         limiter.close();
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let limiter = Limiter::queued(1, 10);
//! let work = || limiter.run(async { sleep(Duration::from_secs(2)).await });
//! let calls = [work(), work(), work(), work()].map(tokio::spawn);
//!
//! wind_down(&limiter, Duration::from_secs(3)).await;
//! limiter.drained().await; // what runs now, ends
//!
//! let mut outcomes = Vec::new();
//! for call in calls {
//!     let outcome = call.await.expect("no call panics");
//!     outcomes.push(outcome.map_err(|rejection| rejection.reason()));
//! }
//! // The second was running when the time was up.
//! assert_eq!(outcomes, [Ok(()), Ok(()), Err(Reason::Closed), Err(Reason::Closed)]);
//! # }
//! ```
//!
//! # With a server
//!
//! axum's `with_graceful_shutdown(signal)` does the first step when `signal`
//! resolves, and then waits for every call, those in the line included. The rest
//! goes into a task of its own, for nothing begins before `signal` has ended:
//!
//! ```
//! use std::time::Duration;
//! use axum::{Router, routing::get};
//! use tokio::net::TcpListener;
//! use tokio::sync::oneshot;
//! use tokio::time::timeout;
//! use tower_inflight::Limiter;
//!
//! async fn serve(
//!     listener: TcpListener,
//!     app: Router,
//!     limiter: Limiter,
//!     stop: oneshot::Receiver<()>, // or `tokio::signal::ctrl_c()`
//! ) -> std::io::Result<()> {
//!     axum::serve(listener, app)
//!         .with_graceful_shutdown(async move {
//!             let _ = stop.await;
//!             tokio::spawn(async move {
//!                 if timeout(Duration::from_secs(10), limiter.drained()).await.is_err() {
//!                     limiter.close();
//!                 }
//!             });
//!         })
//!         .await
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! let listener = TcpListener::bind("127.0.0.1:0").await?;
//! let app = Router::new().route("/", get(async || "answer"));
//! let (stop, stopped) = oneshot::channel();
//! let server = tokio::spawn(serve(listener, app, Limiter::new(10), stopped));
//! drop(stop);
//! server.await.expect("it does not panic")?;
//! # Ok(())
//! # }
//! ```
//!
//! `cargo run -p inflight-examples --example shutdown` shows both ways over real
//! sockets.
//!
//! # A permit before `accept`
//!
//! An accept loop that takes a permit and then waits for a connection always
//! holds one, for the connection that is to come. While it idles, `drained()` of
//! that limiter does not resolve. End the loop first, which drops that permit;
//! then wait. Closing the limiter does not reach the loop while it is in
//! `accept`: select over both, or drop the loop's future.
