//! What a limit on work in flight is not.
//!
//! | | answers | goes together with a limit |
//! |---|---|---|
//! | a lock | may these two overlap at all? | ten that may overlap may still be too many |
//! | a pool | which connection does this call use? | the limit stands in front of it |
//! | a rate limiter | how many may begin in a second? | it bounds what a client may ask for; the limit, what is being done |
//! | a circuit breaker | is it worth trying at all? | it stops calls to what is down; the limit keeps what is slow from taking everything |
//! | a load balancer | where does this call go? | each place has its limit |
//!
//! # Not a lock
//!
//! A limit of 1 lets one run at a time, and is still no lock: the limit can be
//! raised, a call heavier than the limit can be admitted alone, and whoever goes
//! another way is not asked. What must not overlap for correctness needs a mutex
//! or a transaction.
//!
//! # Not a pool
//!
//! A pool bounds connections, and so what overlaps on them. But whoever waits in
//! a pool waits at the deepest point, with everything in hand that was prepared
//! before, usually without a bound and without a reason when it fails. The limit
//! goes in front, a little above the pool's size ([`sizing`](super::sizing) says
//! how much), and the pool's own timeout becomes a sign that the two do not
//! match.
//!
//! # Not a rate limiter
//!
//! A hundred calls a second are 2 in flight if each takes 20 ms, and 200 if each
//! takes 2 s. A rate limit allows both, a limit on work in flight stops the
//! second. It allows ten thousand calls a second in turn, if they are short. Use
//! a rate limit for what is sold or agreed by the second; use both where both
//! matter. A limiter has no clock, and forgets a call when it ends:
//!
//! ```
//! use tower_inflight::Limiter;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let limiter = Limiter::new(1);
//! for _ in 0..10_000 {
//!     assert!(limiter.run(async {}).await.is_ok());
//! }
//! # }
//! ```
//!
//! # Not shared between processes
//!
//! See [`processes`](super::processes).
//!
//! # Not a readiness signal
//!
//! `poll_ready` does not say whether there is room: admission is decided in
//! `call`, where the request is known. A worker that fetches its next job only
//! when it may start it should ask the [`Limiter`](crate::Limiter) first and
//! fetch then, with the permit in hand, or use tower's own
//! `ConcurrencyLimitLayer`.
