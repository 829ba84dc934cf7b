use crate::base::Base;
use crate::cancellation::{Leaving, dropped};
use crate::floor::Floor;
use crate::ours::concurrency_limit;
use crate::peers::stock;
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
        .leaving(100_000)
        .above(IN_ORDER),
        Promise::at_most(
            0.70,
            "100,000 waiting, dropped shuffled",
            |waiting| dropped(concurrency_limit::line(), waiting, Leaving::Shuffled),
            "ConcurrencyLimit",
            |waiting| dropped(stock::line(), waiting, Leaving::Shuffled),
        )
        .leaving(100_000)
        .above(SHUFFLED),
    ]
}

const IN_ORDER: Floor = Floor::new(Base::Left(Leaving::InOrder), &[]);

const SHUFFLED: Floor = Floor::new(Base::Left(Leaving::Shuffled), &[]);
