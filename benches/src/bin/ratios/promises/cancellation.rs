use inflight_benches::cancellation::{Leaving, dropped};
use inflight_benches::ours::concurrency_limit;
use inflight_benches::peers::stock;

use crate::promise::Promise;

/// Callers who give up while they wait.
pub(crate) fn promises() -> [Promise; 2] {
    [
        Promise::at_most(
            0.88,
            "100,000 waiting, dropped in order",
            |waiting| dropped(concurrency_limit::line(), waiting, Leaving::InOrder),
            "ConcurrencyLimit",
            |waiting| dropped(stock::line(), waiting, Leaving::InOrder),
        )
        .leaving(100_000),
        Promise::at_most(
            0.70,
            "100,000 waiting, dropped shuffled",
            |waiting| dropped(concurrency_limit::line(), waiting, Leaving::Shuffled),
            "ConcurrencyLimit",
            |waiting| dropped(stock::line(), waiting, Leaving::Shuffled),
        )
        .leaving(100_000),
    ]
}
