use crate::ROOM;
use crate::base::Base;
use crate::calls::{Calling, repeated};
use crate::floor::{Floor, Need};
use crate::ours::{adaptive, concurrency_limit};
use crate::peers::{stock, tower_acc};
use crate::primitive::Primitive;
use crate::promise::Promise;

/// A call that finds room.
pub(crate) fn promises() -> [Promise; 4] {
    [
        Promise::at_most(
            0.66,
            "admitted, reused",
            |_| repeated(concurrency_limit::service(ROOM), Calling::Reused),
            "ConcurrencyLimit",
            |_| repeated(stock::service(ROOM), Calling::Reused),
        )
        .above(REUSED),
        Promise::at_most(
            0.72,
            "admitted, cloned",
            |_| repeated(concurrency_limit::service(ROOM), Calling::Cloned),
            "ConcurrencyLimit",
            |_| repeated(stock::service(ROOM), Calling::Cloned),
        )
        .above(CLONED),
        Promise::at_most(
            0.75,
            "admitted, adaptive, reused",
            |_| repeated(adaptive::service(ROOM), Calling::Reused),
            "tower-acc",
            |_| repeated(tower_acc::service(), Calling::Reused),
        )
        .above(ADAPTIVE_REUSED),
        Promise::at_most(
            0.76,
            "admitted, adaptive, cloned",
            |_| repeated(adaptive::service(ROOM), Calling::Cloned),
            "tower-acc",
            |_| repeated(tower_acc::service(), Calling::Cloned),
        )
        .above(ADAPTIVE_CLONED),
    ]
}

const REUSED: Floor = Floor::new(Base::Admitted(Calling::Reused), &[PERMIT]);

const CLONED: Floor = Floor::new(Base::Admitted(Calling::Cloned), &[PERMIT, CLONE]);

const ADAPTIVE_REUSED: Floor =
    Floor::new(Base::Admitted(Calling::Reused), &[PERMIT, TIMES, SAMPLE]);

const ADAPTIVE_CLONED: Floor = Floor::new(
    Base::Admitted(Calling::Cloned),
    &[PERMIT, CLONE, TIMES, SAMPLE],
);

const PERMIT: Need = Need::new(1, Primitive::Reference, "a permit keeps its limit alive");

const CLONE: Need = Need::new(1, Primitive::Reference, "so does a clone of the service");

const TIMES: Need = Need::new(2, Primitive::Clock, "a latency has a beginning and an end");

const SAMPLE: Need = Need::new(1, Primitive::Lock, "the rule takes sample after sample");
