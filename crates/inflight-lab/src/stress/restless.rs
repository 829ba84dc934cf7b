use std::panic;

use tower_inflight::algorithm::{Algorithm, Description, Limit, Sample};

use super::errand::Mishap;

/// An algorithm that learns nothing: it moves the limit every few samples, and
/// panics now and then.
#[derive(Debug)]
pub(crate) struct Restless {
    limit: Limit,
    max_limit: Limit,
    samples: usize,
}

impl Restless {
    pub(crate) fn new(max_limit: Limit) -> Self {
        Self {
            limit: max_limit,
            max_limit,
            samples: 0,
        }
    }
}

impl Algorithm for Restless {
    fn limit(&self) -> Limit {
        self.limit
    }

    fn observe(&mut self, _: &Sample) -> Limit {
        self.samples = self.samples.wrapping_add(1);
        if self.samples.is_multiple_of(PANIC_EVERY) {
            panic::resume_unwind(Box::new(Mishap));
        }
        // Far up and far down in turn, over every limit there is.
        let step = self.samples / MOVE_EVERY;
        let limit = 1 + step.wrapping_mul(STRIDE) % self.max_limit.get();
        self.limit = Limit::new(limit).unwrap_or(self.max_limit);
        self.limit
    }

    fn describe(&self) -> Description {
        Description::new("restless").with_bounds(Limit::ONE, self.max_limit)
    }
}

/// Long enough for a limit to be filled before the next comes.
const MOVE_EVERY: usize = 32;

/// Not a factor of much, so that it strikes at every limit.
const PANIC_EVERY: usize = 509;

/// Prime to any limit in use, and about a third of it.
const STRIDE: usize = 5;
