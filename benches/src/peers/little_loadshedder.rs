//! `little-loadshedder`, with the parameters of its documentation's example.
//!
//! It cannot be given a limit: it starts with one call running and one in its queue.

use std::time::Duration;

use little_loadshedder::{LoadShed, LoadShedResponse};

use crate::inner::Inner;
use crate::line::{self, Line};

/// With room for one call at a time.
pub fn service() -> LoadShed<Inner> {
    LoadShed::new(Inner, EWMA_PARAMETER, TARGET)
}

/// With no room, neither to run nor in the queue, and what keeps it so.
pub fn full() -> (LoadShed<Inner>, impl Sized + 'static) {
    let service = service();
    let line = line::of_service(service.clone());
    let held = line.hold();
    let queued = line::waiting(&line, 1);
    (service, (queued, held))
}

/// Whether a call was shed, which it says with a response.
pub fn is_shed<E>(result: &Result<LoadShedResponse<u64>, E>) -> bool {
    matches!(result, Ok(LoadShedResponse::Overload))
}

/// How much the newest latency counts in the average.
const EWMA_PARAMETER: f64 = 0.01;

/// The average latency that it aims for.
const TARGET: Duration = Duration::from_secs(2);
