use inflight_benches::ROOM;
use inflight_benches::calls::{Calling, repeated};
use inflight_benches::ours::concurrency_limit;
use inflight_benches::peers::stock;

use crate::promise::Promise;

/// A call that finds room. (The adaptive layer, beside `tower-acc`, belongs here, too.)
pub(crate) fn promises() -> [Promise; 2] {
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
    ]
}
