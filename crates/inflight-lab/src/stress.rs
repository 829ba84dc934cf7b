//! Lets real threads loose on limiters, and checks what must hold.
//!
//! Tasks on several tokio runtimes and threads without one call the same
//! limiters, through clones of a limited service and through the handle. They
//! wait, give up after a while or at once, let timeouts end it, move what has
//! begun to another runtime, fail, panic, and change the limit meanwhile.
//!
//! ```text
//! options ─► campaign ─► round ─► crew ─► callers ─► calls ─► limiter ─► workshop
//!                          │                 │                              │
//!                      inspection ◄──────── tally                         floor
//! ```
//!
//! A round ends when all of its calls have. Then all is at rest, and what was
//! counted in different places has to agree. What is done follows from the
//! seed; in what order the threads do it does not.

mod call;
mod caller;
mod campaign;
mod crew;
mod errand;
mod fate;
mod faults;
mod findings;
mod floor;
mod gathering;
mod inspection;
mod invariant;
mod kinds;
mod options;
mod progress;
mod report;
mod restless;
mod round;
mod run;
mod shares;
mod standing;
mod subject;
mod tally;
mod witness;
mod workshop;

pub(crate) use self::options::Options;
pub(crate) use self::run::run;
