//! Retries can defeat admission control.
//!
//! A limiter turns work away quickly, so that there is time for the rest. A
//! client that then tries again at once turns each rejection into the next
//! call. What was shed comes back, several times over, when there is least room
//! for it; and to be turned away is work, too.
//!
//! # How much it adds
//!
//! If each attempt fails with probability *p*, whatever the others did, and
//! *r* more may follow, a call makes
//!
//! > 1 + *p* + *p*² + ... + *p*<sup>*r*</sup>
//!
//! attempts: almost none on top where failures are rare, and 1 + *r* where
//! nearly all of them fail. Where each of *n* services in a row does so, the last
//! one gets (1 + *r*)<sup>*n*</sup>: 64 attempts for one call, with three
//! retries in three services. (B. Beyer and others, "Site Reliability
//! Engineering", O'Reilly 2016, chapters 21 and 22, which also has the budget
//! below.)
//!
//! # Measured
//!
//! A server that answers 100 calls a second and can read 500, callers who wait
//! for one second, and three kinds of client:
//!
//! | load | client | attempts a call | answered | half of these within |
//! |---|---|---|---|---|
//! | half of it, 3 % faults | no retry | 1.00 | 97.1 % | 102 ms |
//! | | three more, at once | 1.03 | 100.0 % | 102 ms |
//! | | three more, carefully | 1.03 | 100.0 % | 102 ms |
//! | twice | no retry | 1.00 | 51.1 % | 196 ms |
//! | | three more, at once | 2.62 | 49.9 % | 521 ms |
//! | | three more, carefully | 1.06 | 51.1 % | 197 ms |
//! | four times | no retry | 1.00 | 25.5 % | 202 ms |
//! | | three more, at once | 1.31 | 6.3 % | 959 ms |
//! | | three more, carefully | 1.03 | 25.5 % | 203 ms |
//!
//! `cargo run -p inflight-examples --example retry` prints it, the same each
//! time. Where faults are rare, both clients mend them. In an overload the hasty
//! one gains nothing at twice the load, and at four times the server is busy
//! with reading what it will turn away. There, a call makes fewer attempts
//! only since its time is over before it hears of the first.
//!
//! # What the careful one does
//!
//! The policy is `policy.rs` of that example, to be copied; tower has the
//! parts.
//!
//! - **It stands outside the limit**, so that nothing is held in the pauses. Nor
//!   does the limit then bound how many pause: where that matters, a second and
//!   wider limit goes outside the retry.
//! - **It pauses, longer each time, by chance**: `ExponentialBackoff`. Without
//!   chance, those who were turned away together come back together. (M.
//!   Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.)
//!   tower's own generator is copied with the policy, for each call from the
//!   same state, and then all pauses are alike: give it one that is shared.
//! - **It has a budget**: `TpsBudget`. A retry is paid for by ten successes. So
//!   all clients together add a tenth to the load at most, and less when it is
//!   worst.
//! - **It has one deadline** for all attempts and pauses, and starts no pause
//!   that would outlast it.
//! - **It repeats only what may happen twice.**
//! - **A rejection of its own process is an answer.** The next attempt would
//!   meet the same limit. The exception is a limit that the next attempt may not
//!   meet, for example that of one host behind a balancer; the policy
//!   asks the application which rejections these are.
//!
//! A rejection by *another* process is a response, with a status. It says by
//! `Retry-After`, or by its code, whether to come back.
//!
//! ```
//! use std::future::{Ready, ready};
//! use tower::retry::Policy;
//! use tower::{BoxError, ServiceBuilder, ServiceExt, service_fn};
//! use tower_inflight::{ConcurrencyLimitLayer, Reason, Rejection};
//!
//! /// Tries once more what failed, but not what was turned away.
//! #[derive(Clone)]
//! struct OnceMore(bool);
//!
//! impl Policy<u32, u32, BoxError> for OnceMore {
//!     type Future = Ready<()>;
//!
//!     fn retry(&mut self, _: &mut u32, result: &mut Result<u32, BoxError>) -> Option<Ready<()>> {
//!         let error = result.as_ref().err()?;
//!         let again = !error.is::<Rejection>() && std::mem::take(&mut self.0);
//!         again.then(|| ready(()))
//!     }
//!
//!     fn clone_request(&mut self, request: &u32) -> Option<u32> {
//!         Some(*request)
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let limit = ConcurrencyLimitLayer::new(1);
//! let limiter = limit.limiter();
//! let service = ServiceBuilder::new()
//!     .retry(OnceMore(true))
//!     .map_err(BoxError::from) // now it finds a `Rejection`, not an `Error`
//!     .layer(limit)
//!     .service(service_fn(|request: u32| async move { Ok::<_, BoxError>(request) }));
//!
//! limiter.close();
//! let error = service.oneshot(1).await.unwrap_err();
//! assert_eq!(error.downcast_ref::<Rejection>().unwrap().reason(), Reason::Closed);
//! # }
//! ```
