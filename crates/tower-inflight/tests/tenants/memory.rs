use std::collections::HashMap;
use std::convert::Infallible;
use std::future::pending;

use inflight_test::{Task, count_allocations, poll_once};
use tower::{Layer, Service, service_fn};
use tower_inflight::algorithm::Limit;
use tower_inflight::{KeyedLimitLayer, KeyedLimiter, Reason};

/// The engine's own tests count what it keeps of the keys; this counts what
/// all of a call keeps.
#[test]
fn a_million_calls_under_invented_keys_cost_what_ten_thousand_do() {
    let layer = KeyedLimitLayer::builder(|key: &u64| *key)
        .max_concurrency(Limit::MAX.get())
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(|_| pending::<Result<(), Infallible>>()));
    let mut running = Vec::with_capacity(10_000);
    let ((), known) =
        count_allocations(|| running.extend((0..10_000).map(|key| service.call(key))));
    assert_eq!(limiter.keys(), 10_000);
    assert!(known.retained_bytes < 10_000 * 512, "{known:?}");

    let ((), invented) = count_allocations(|| {
        for key in 10_000..1_000_000 {
            assert!(poll_once(&mut service.call(key)).is_ready());
        }
    });
    assert_eq!((invented.count, invented.retained_bytes), (0, 0));
    let refused = limiter.try_acquire(1_000_000).unwrap_err();
    assert_eq!(refused.reason(), Reason::TooManyKeys);
    assert!(limiter.try_acquire(0).is_ok(), "the known ones go on");
}

#[test]
fn memory_is_what_it_was_when_the_last_key_has_gone() {
    let limiter = KeyedLimiter::builder()
        .max_concurrency(Limit::MAX.get())
        .key_max_concurrency(1)
        .queue_limit(usize::MAX)
        .key_queue_limit(usize::MAX)
        .build_limiter()
        .unwrap();
    let visit = || {
        let mut held: HashMap<_, _> = (0..10_000)
            .map(|key| (key, limiter.try_acquire(key).unwrap()))
            .collect();
        let mut waiting: Vec<_> = (0..10_000)
            .map(|key| (key, Task::new(limiter.acquire(key))))
            .collect();
        for (key, caller) in &mut waiting {
            caller.expect_pending();
            // Half of them get what they wait for, and half give up.
            if *key % 2 == 0 {
                drop(held.remove(key));
                drop(caller.expect_ready().unwrap());
            }
        }
        assert_eq!(limiter.snapshot().total.queued, 5_000);
        drop(waiting);
        assert_eq!(limiter.snapshot().keys, 5_000);
    };
    let visited = || {
        let ((), allocations) = count_allocations(visit);
        let snapshot = limiter.snapshot();
        assert_eq!((snapshot.keys, snapshot.total.in_flight), (0, 0));
        assert!(allocations.bytes > 1_000_000, "there was much to give back");
        allocations.retained_bytes
    };
    // Room for the first few of the next crowd.
    assert!(visited() < 1_000);
    assert_eq!((visited(), visited()), (0, 0));
}
