use crate::base::Base;
use crate::floor::{Floor, Need};
use crate::hand_over::steady;
use crate::order::Priorities;
use crate::ours::{concurrency_limit, limiter};
use crate::peers::{priority_semaphore, stock};
use crate::primitive::Primitive;
use crate::promise::Promise;
use crate::subject::Subject;

/// First come, first served.
pub(crate) fn in_order() -> impl IntoIterator<Item = Promise> {
    let promise = |most, question, waiting| {
        Promise::at_most(
            most,
            question,
            |waiting| steady(concurrency_limit::line(), waiting, Priorities::One),
            "ConcurrencyLimit",
            |waiting| steady(stock::line(), waiting, Priorities::One),
        )
        .waiting(waiting)
        .above(IN_ORDER)
    };
    [
        promise(0.82, "hand-over, 10 waiting", 10),
        promise(0.80, "hand-over, 1,000 waiting", 1_000),
        promise(0.90, "hand-over, 100,000 waiting", 100_000),
    ]
}

/// By priority: permits alone, since the peer has no service.
pub(crate) fn by_priority() -> impl IntoIterator<Item = Promise> {
    [
        against_semaphore(
            0.55,
            "hand-over, 100,000 waiting, one priority",
            ONE,
            100_000,
        )
        .above(ONE_PRIORITY),
        against_semaphore(
            0.72,
            "hand-over, 100,000 waiting, 10 priorities",
            TEN,
            100_000,
        )
        .above(TEN_PRIORITIES),
        against_semaphore(
            1.05,
            "hand-over, 100,000 waiting, all distinct",
            DISTINCT,
            100_000,
        ),
        against_semaphore(1.00, "hand-over, 10 waiting, 10 priorities", TEN, 10)
            .above(TEN_PRIORITIES),
        against_semaphore(0.80, "hand-over, 1,000 waiting, 10 priorities", TEN, 1_000)
            .above(TEN_PRIORITIES),
    ]
}

fn against_semaphore(
    most: f64,
    question: &'static str,
    (ours, theirs): Contenders,
    waiting: usize,
) -> Promise {
    Promise::at_most(most, question, ours, "priority-semaphore", theirs).waiting(waiting)
}

/// Ours and the peer's, for one mixture of priorities.
type Contenders = (fn(usize) -> Subject, fn(usize) -> Subject);

const ONE: Contenders = (
    |waiting| steady(limiter::priority_line(), waiting, Priorities::One),
    |waiting| steady(priority_semaphore::line(), waiting, Priorities::One),
);

const TEN: Contenders = (
    |waiting| steady(limiter::priority_line(), waiting, Priorities::Ten),
    |waiting| steady(priority_semaphore::line(), waiting, Priorities::Ten),
);

const DISTINCT: Contenders = (
    |waiting| steady(limiter::priority_line(), waiting, Priorities::Distinct),
    |waiting| steady(priority_semaphore::line(), waiting, Priorities::Distinct),
);

const IN_ORDER: Floor = Floor::new(Base::Served(Priorities::One), &[WAKER, CLONE]);

const ONE_PRIORITY: Floor = Floor::new(Base::Served(Priorities::One), &[WAKER]);

const TEN_PRIORITIES: Floor = Floor::new(Base::Served(Priorities::Ten), &[WAKER]);

const WAKER: Need = Need::new(
    1,
    Primitive::Lock,
    "a place is held from the call on, so its waker comes later",
);

const CLONE: Need = Need::new(
    1,
    Primitive::Reference,
    "each caller has a clone of the service",
);
