//! `tower-acc` with its AIMD rule: the stock limit's shape, and a limit that moves.

use tower_acc::{Aimd, ConcurrencyLimit};

use crate::inner::Inner;
use crate::line::{self, Line};

/// With all its defaults: a limit that starts at 20.
pub fn service() -> ConcurrencyLimit<Inner, Aimd> {
    ConcurrencyLimit::new(Inner, Aimd::default())
}

/// With a limit that must stay at one, so that callers wait.
pub fn line() -> impl Line {
    let one = Aimd::builder().min_limit(1).initial_limit(1).max_limit(1);
    line::of_service(ConcurrencyLimit::new(Inner, one.build()))
}
