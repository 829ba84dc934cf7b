//! What if one tenant takes all the places: a limit for each key.
//!
//! A limit for all protects the service. It does not protect callers from each
//! other: one tenant that sends enough holds every permit and every place in
//! the line. A limit for each tenant does that, but protects no service: enough
//! tenants, each within its own limit, are too many. So both, and then the
//! question is in which order.
//!
//! # First the specific one, then the one for all
//!
//! A call that has one permit and waits for the other holds what it does not
//! use. What it holds should be what only its own tenant misses.
//!
//! - **The tenant's first**: a noisy tenant's calls wait at the tenant's limit,
//!   with nothing in hand. At most as many as that limit go on.
//! - **The one for all first**: its calls take the permits of all, and then wait
//!   for the tenant's with those in hand. Everybody stands still behind a line
//!   that is not theirs.
//!
//! ```
//! use tower_inflight::{Limiter, Rejection};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Rejection> {
//! // Three of one tenant's calls, where a tenant may have one in flight.
//! let (tenant, total) = (Limiter::queued(1, 10), Limiter::queued(3, 10));
//! let (one, two, three) = (tenant.acquire(), tenant.acquire(), tenant.acquire());
//! let own = one.await?;
//! let running = total.acquire().await?;
//! assert_eq!(total.snapshot().available, 2); // for the other tenants
//! # drop((own, running, two, three));
//!
//! // The other way round, two of them wait, and there is no room for anybody.
//! let (tenant, total) = (Limiter::queued(1, 10), Limiter::queued(3, 10));
//! let permits = [total.try_acquire()?, total.try_acquire()?, total.try_acquire()?];
//! let waits = [tenant.acquire(), tenant.acquire(), tenant.acquire()];
//! assert_eq!(total.snapshot().available, 0);
//! assert_eq!(tenant.snapshot().queued, 2);
//! # drop((permits, waits));
//! # Ok(())
//! # }
//! ```
//!
//! Whichever order it is, it has to be the same on every path. Two paths that
//! take two limiters in opposite orders can wait for each other without end.
//!
//! What remains, even in the right order: a tenant's call that has its own
//! permit and waits for the total keeps its place among the tenant's. That is
//! its own affair. And the line at the total is first come, first served: a
//! tenant with a limit of ten stands there ten times. Somebody also has to make
//! a limiter for each tenant, and to forget it again.
//!
//! # Both in one admission
//!
//! [`KeyedLimitLayer`] asks for both at once, so there is no order to get wrong.
//! A call whose key is full waits with nothing of the total in its hand, and a
//! free slot goes to the first who waits and whose key has room: a tenant with
//! ten thousand waiters delays nobody else. A key is known while anything runs
//! or waits under it, and costs nothing afterwards.
//!
//! ```
//! use tower_inflight::{Fairness, KeyedLimiter, Reason};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Three of one tenant's calls, where a tenant may have one in flight.
//! let limiter = KeyedLimiter::builder()
//!     .max_concurrency(3)
//!     .key_max_concurrency(1)
//!     .queue_limit(30)
//!     .key_queue_limit(2)
//!     .fairness(Fairness::RoundRobin)
//!     .build_limiter()?;
//! let calls = [limiter.acquire("noisy"), limiter.acquire("noisy"), limiter.acquire("noisy")];
//! assert_eq!(limiter.snapshot().total.available, 2); // for the other tenants
//! assert!(limiter.try_acquire("quiet").is_ok());
//!
//! // The next one is told that it is its own doing.
//! let rejection = limiter.acquire("noisy").await.unwrap_err();
//! assert_eq!((rejection.reason(), rejection.is_of_key()), (Reason::KeyQueueFull, true));
//!
//! drop(calls);
//! assert_eq!(limiter.keys(), 0);
//! # Ok(())
//! # }
//! ```
//!
//! # Which numbers
//!
//! - **The total** as that of any limiter: what the service bears. See
//!   [`sizing`](super::sizing).
//! - **The limit of a key**: how much one tenant may take while the others are
//!   idle. The total less this is what is free at once when the others come,
//!   however noisy the one is. Where the limits of all tenants together stay
//!   within the total, nobody ever meets anybody, and slots of those who are idle
//!   stay empty. With many tenants it is well above the fair share: with a
//!   hundred tenants and a hundred permits, a limit of one each wastes most of
//!   them.
//! - **The line of a key** well below the line of all. Where it is as long, one
//!   tenant takes all the places, and the others are turned away with
//!   `total_queue_full`, whatever the order.
//! - **Plans**: [`key_plan`] gives each key a limit and a share of its own. It is
//!   asked when a key appears, so it has to be quick.
//!
//! # Who is next
//!
//! By default the free slot goes to whoever arrived first, of those whose key has
//! room. A tenant that always has callers in the line then holds its limit,
//! always. With [`Fairness::RoundRobin`] the keys take turns in proportion to
//! their shares, however many of their callers wait: of equal tenants, one that comes to the
//! line waits for two turns of each other at most.
//!
//! Three tenants at a service that does twelve calls at a time, of 100 ms in the
//! mean. In the first four rows two of them ask for half of their third, and the
//! noisy one for fifty times its third; in the others the two ask for twice
//! their third, and no tenant's limit is in its way. The time is virtual. *Fair*
//! is the index of Jain, Chiu and Hawe (DEC TR-301, 1984): 1 if each has the same
//! part of what is due to it, ⅓ if one has all.
//!
//! ```sh
//! cargo run -p inflight-examples --example tenants
//! ```
//!
//! | | fair | the quiet ones get | their p99 |
//! |---|---|---|---|
//! | two ask for half of their third; alone | 1.00 | 20/s | 505 ms |
//! | the same and a noisy one; one limit for all | 0.39 | 1/s | 1,436 ms |
//! | 8 of 12 for each, by arrival | 1.00 | 20/s | 981 ms |
//! | 8 of 12 for each, in turns | 1.00 | 20/s | 514 ms |
//! | two ask for twice their third; long lines, by arrival | 0.39 | 5/s | 18.8 s |
//! | long lines, in turns | 1.00 | 40/s | 10.5 s |
//! | short lines, by arrival | 1.00 | 38/s | 1,483 ms |
//!
//! Turns matter to the wait, and to those whose lines are long. Short lines for
//! each key alone are fair to those who are always there: whoever is served
//! comes back to the end of a line of the same length as everybody's.
//!
//! # Those who invent keys
//!
//! A client that may choose its key has no limit, and costs memory for as long
//! as it runs or waits. So:
//!
//! - **A key is what has been authenticated.** Let all who are unknown share one:
//!   the example above does that with an API key, behind axum.
//! - **[`max_keys`] bounds the rest**, 10,000 by default. One key more is refused
//!   with `too_many_keys`, or shares one key with all others that are too many
//!   ([`KeyOverflow::Share`]); the keys that are known go on. A million invented
//!   ones cost no byte more than those ten thousand.
//! - Names are kept for as long as the process lives: name a limiter after what
//!   it protects, never after a tenant.
//!
//! # What to watch
//!
//! | seen | reading | do |
//! |---|---|---|
//! | `key_limit`, `key_queue_full` of a few keys | noisy tenants, and the limit does its job | tell them: it is a 429 |
//! | the same of many keys | the limit of a key is too low, or all are overloaded | look at whether the total has room |
//! | `total_limit`, `total_queue_full` | all together are too many: a 503 | as for any limiter |
//! | the same, while few keys are busy | their limits together fill the total | lower them, or take turns |
//! | `too_many_keys` | somebody invents keys, or there are more tenants than was thought | see where the key comes from |
//!
//! [`top`] says who they are, for a page that somebody looks at. A key is never a
//! label of a metric: its values come from callers, and there is no end of them.
//!
//! [`Fairness::RoundRobin`]: crate::Fairness::RoundRobin
//! [`KeyedLimitLayer`]: crate::KeyedLimitLayer
//! [`KeyOverflow::Share`]: crate::KeyOverflow::Share
//! [`key_plan`]: crate::builder::KeyedLimitBuilder::key_plan
//! [`max_keys`]: crate::KeyedLimitOptions::max_keys
//! [`top`]: crate::KeyedLimiter::top
