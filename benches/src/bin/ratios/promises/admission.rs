use inflight_benches::ROOM;
use inflight_benches::calls::{Calling, repeated};
use inflight_benches::ours::{adaptive, concurrency_limit};
use inflight_benches::peers::{stock, tower_acc};

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
        ),
        Promise::at_most(
            0.72,
            "admitted, cloned",
            |_| repeated(concurrency_limit::service(ROOM), Calling::Cloned),
            "ConcurrencyLimit",
            |_| repeated(stock::service(ROOM), Calling::Cloned),
        ),
        Promise::at_most(
            0.75,
            "admitted, adaptive, reused",
            |_| repeated(adaptive::service(ROOM), Calling::Reused),
            "tower-acc",
            |_| repeated(tower_acc::service(), Calling::Reused),
        ),
        Promise::at_most(
            0.76,
            "admitted, adaptive, cloned",
            |_| repeated(adaptive::service(ROOM), Calling::Cloned),
            "tower-acc",
            |_| repeated(tower_acc::service(), Calling::Cloned),
        ),
    ]
}
