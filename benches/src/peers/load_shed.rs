//! `tower::load_shed::LoadShed` over the stock limit: how Tower documents rejection.

use tower::BoxError;
use tower::limit::ConcurrencyLimit;
use tower::load_shed::LoadShed;
use tower::load_shed::error::Overloaded;

use crate::inner::Inner;
use crate::line::{self, Line};
use crate::peers::stock;

/// With room for `limit` calls.
pub fn service(limit: usize) -> LoadShed<ConcurrencyLimit<Inner>> {
    LoadShed::new(stock::service(limit))
}

/// With no room, `waiting` callers of the same limit that are willing to wait, and what keeps it
/// so.
pub fn full(waiting: usize) -> (LoadShed<ConcurrencyLimit<Inner>>, impl Sized + 'static) {
    let limit = stock::service(1);
    let line = line::of_service(limit.clone());
    let held = line.hold();
    let callers = line::waiting(&line, waiting);
    (LoadShed::new(limit), (callers, held))
}

/// Whether a call was shed, which is all that its error can tell.
pub fn is_shed(result: &Result<u64, BoxError>) -> bool {
    matches!(result, Err(error) if error.is::<Overloaded>())
}
