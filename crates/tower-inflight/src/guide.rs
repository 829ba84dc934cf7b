//! How to bound work in flight: where, how much, and what else it takes.
//!
//! The chapters are short and can be read alone.
//!
//! | chapter | question |
//! |---|---|
//! | [`placement`] | Around what does the limit go, and in which order with timeouts and retries? |
//! | [`sizing`] | How much may run? |
//! | [`waiting`] | How many may wait, and how long? |
//! | [`watching`] | What do the numbers of a limiter say? |
//! | [`retries`] | Why can a client that tries again undo all of it? |
//! | [`keys`] | What if one tenant takes all the places? |
//! | [`processes`] | What is the limit of ten instances together? |
//! | [`long_work`] | What about streams, upgrades, tasks and threads? |
//! | [`shutdown`] | What becomes of those who wait? |
//! | [`what_it_is_not`] | Is it a lock, a pool, a rate limiter? |
//!
//! # Why a limit at all
//!
//! A service rarely falls over because of the calls that come in each second.
//! It falls over because of those that it has begun and not ended. A database
//! gets slower; so more queries are open at the same time; so each has more to
//! contend with, and takes longer; so more are open. The rate never changed.
//!
//! A limit on what is in flight breaks that circle, if four things are decided
//! on purpose:
//!
//! 1. What is scarce, and which work uses it: the limit goes around that.
//! 2. How much of it may overlap: the limit.
//! 3. What happens to the rest: it waits for a bounded time in a bounded line,
//!    is turned away with a reason, or gets something cheaper.
//! 4. Who learns of it: the caller by the reason, the operator by the numbers.
//!
//! # Before it goes live
//!
//! - Every way to the scarce thing goes through the one limiter, and nothing
//!   else does.
//! - A permit is not held while something else is waited for.
//! - The longest wait and the work together fit into the time that callers
//!   wait.
//! - A client that is turned away does not come back at once.
//! - The limit times the number of instances is what the resource can bear.
//! - A load test has passed the limit, and the service stayed up.

pub mod keys;
pub mod long_work;
pub mod placement;
pub mod processes;
pub mod retries;
pub mod shutdown;
pub mod sizing;
pub mod waiting;
pub mod watching;
pub mod what_it_is_not;
