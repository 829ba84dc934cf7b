use inflight_benches::ROOM;
use inflight_benches::calls::Calling;
use inflight_benches::ours::concurrency_limit;
use inflight_benches::peers::stock;
use inflight_benches::threads::calling;

use crate::promise::{Promise, THREADS};

/// Two threads that never find it full. (The adaptive layer, beside `tower-acc`, belongs here, too.)
pub(crate) fn promises() -> [Promise; 2] {
    [
        Promise::at_least(
            1.25,
            "two threads, never full, reused",
            |_| calling(concurrency_limit::service(ROOM), Calling::Reused, THREADS),
            "ConcurrencyLimit",
            |_| calling(stock::service(ROOM), Calling::Reused, THREADS),
        ),
        Promise::at_least(
            1.20,
            "two threads, never full, cloned",
            |_| calling(concurrency_limit::service(ROOM), Calling::Cloned, THREADS),
            "ConcurrencyLimit",
            |_| calling(stock::service(ROOM), Calling::Cloned, THREADS),
        ),
    ]
}
