use crate::ROOM;
use crate::calls::Calling;
use crate::ours::{adaptive, concurrency_limit};
use crate::peers::{stock, tower_acc};
use crate::promise::{Promise, THREADS};
use crate::threads::calling;

/// Two threads that never find it full.
pub(crate) fn promises() -> [Promise; 3] {
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
        Promise::at_least(
            1.25,
            "two threads, never full, adaptive",
            |_| calling(adaptive::service(ROOM), Calling::Reused, THREADS),
            "tower-acc",
            |_| calling(tower_acc::service(), Calling::Reused, THREADS),
        ),
    ]
}
