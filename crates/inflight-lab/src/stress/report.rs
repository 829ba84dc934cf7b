//! What is shown at the end: the counts, and what held.

mod counts;
mod print;

pub(crate) use self::print::print;
