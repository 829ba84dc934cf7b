//! Limits by key, and limits in limits, as others have met them.

use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use inflight_test::Task;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tower::{Layer, Service, ServiceBuilder, ServiceExt, service_fn};
use tower_inflight::builder::KeyedLimitBuilder;
use tower_inflight::{KeyOverflow, KeyedLimitLayer, KeyedLimiter, Reason};

fn one_each() -> KeyedLimitBuilder<u32> {
    KeyedLimiter::builder()
        .key_max_concurrency(1)
        .queue_limit(1_000)
        .key_queue_limit(10)
}

#[track_caller]
fn expect<K: Eq + Hash>(limiter: &KeyedLimiter<K>, in_flight: usize, queued: usize, keys: usize) {
    let now = limiter.snapshot();
    assert_eq!(
        (now.total.in_flight, now.total.queued, now.keys),
        (in_flight, queued, keys)
    );
}

// F15
#[tokio::test(start_paused = true)]
async fn answers_that_race_a_timeout_leave_nothing_under_their_key() {
    let layer = KeyedLimitLayer::builder(|host: &&'static str| *host)
        .key_max_concurrency(5)
        .queue_limit(500)
        .key_queue_limit(500)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let service = ServiceBuilder::new()
        .timeout(Duration::from_millis(50))
        .layer(layer)
        .service(service_fn(async |_: &str| {
            sleep(Duration::from_millis(50)).await;
            Ok::<_, std::io::Error>(())
        }));
    let mut calls = JoinSet::new();
    for _ in 0..500 {
        calls.spawn(service.clone().oneshot("host"));
    }
    let answers = calls.join_all().await;
    let answered = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!(answered <= 5, "the rest waits for 50 ms and more");
    expect(&limiter, 0, 0, 0);
    let permits: Vec<_> = std::iter::from_fn(|| limiter.try_acquire("host").ok()).collect();
    assert_eq!(permits.len(), 5);
}

// F147
#[test]
fn a_key_that_comes_back_while_its_last_permit_waits_to_be_fetched_is_the_same() {
    let limiter = one_each().build_limiter().unwrap();
    let first = limiter.try_acquire(1).unwrap();
    let mut second = Task::new(limiter.acquire(1));
    second.expect_pending();
    drop(first);
    // Granted and not fetched: nobody runs, nobody waits, and the key is there.
    let mut third = Task::new(limiter.acquire(1));
    third.expect_pending();
    expect(&limiter, 1, 1, 1);
    drop(second);
    drop(third.expect_ready().unwrap());
    expect(&limiter, 0, 0, 0);
}

// F149
#[test]
fn a_key_that_is_in_use_is_never_dropped_for_another() {
    for overflow in [KeyOverflow::Refuse, shared()] {
        let limiter = one_each()
            .max_keys(2)
            .overflow(overflow)
            .build_limiter()
            .unwrap();
        let first = limiter.try_acquire(1).unwrap();
        let others = [2, 3, 4].map(|key| limiter.try_acquire(key));
        let mut again = Task::new(limiter.acquire(1));
        again.expect_pending();
        assert_eq!(limiter.key(&1).unwrap().queued, 1);
        drop(first);
        drop(again.expect_ready().unwrap());
        drop(others);
        expect(&limiter, 0, 0, 0);
    }
}

fn shared() -> KeyOverflow {
    KeyOverflow::Share(tower_inflight::KeyPlan::new(
        tower_inflight::algorithm::Limit::ONE,
    ))
}

// F151
#[tokio::test(start_paused = true)]
async fn calls_that_are_dropped_panic_or_are_aborted_leave_no_key() {
    let layer = KeyedLimitLayer::builder(|&(key, _): &(u32, bool)| key)
        .max_concurrency(4_000)
        .key_max_concurrency(1)
        .queue_limit(4_000)
        .key_queue_limit(10)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(async |(_, panics): (u32, bool)| {
        sleep(Duration::from_secs(1)).await;
        assert!(!panics, "a service that panics");
        Ok::<_, std::io::Error>(())
    }));
    let mut dropped = Vec::new();
    let mut calls = JoinSet::new();
    for key in 0..1_000 {
        // One runs, one waits; then one never polled, that runs under a key of
        // its own.
        calls.spawn(service.call((key, true)));
        calls.spawn(service.call((key, false)));
        dropped.push(service.call((key + 1_000, false)));
    }
    expect(&limiter, 2_000, 1_000, 2_000);
    drop(dropped);
    expect(&limiter, 1_000, 1_000, 1_000);
    sleep(Duration::from_millis(1_500)).await;
    expect(&limiter, 1_000, 0, 1_000);
    calls.shutdown().await;
    expect(&limiter, 0, 0, 0);
}

/// Keys of one hash.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Alike(u32);

impl Hash for Alike {
    fn hash<H: Hasher>(&self, state: &mut H) {
        0.hash(state);
    }
}

// F153
#[test]
fn keys_of_one_hash_are_two_keys_and_one_may_call_inside_the_other() {
    let limiter = KeyedLimiter::builder()
        .key_max_concurrency(1)
        .build_limiter()
        .unwrap();
    let outer = limiter.try_acquire(Alike(1)).unwrap();
    let inner = limiter.try_acquire(Alike(2)).unwrap();
    let refused = limiter.try_acquire(Alike(1)).unwrap_err();
    assert_eq!(refused.reason(), Reason::KeyLimit);
    drop(outer);
    assert_eq!((limiter.keys(), limiter.key(&Alike(1))), (1, None));
    drop(inner);
    expect(&limiter, 0, 0, 0);
}

// F155, F157
#[test]
fn the_last_two_of_a_key_end_in_either_order_and_both_bounds_have_all_back() {
    for last in [0, 1] {
        let limiter = one_each()
            .max_concurrency(4)
            .key_max_concurrency(2)
            .build_limiter()
            .unwrap();
        let others = [2, 3].map(|key| limiter.try_acquire(key).unwrap());
        let mut two = [1, 1].map(|key| limiter.try_acquire(key).ok());
        let ended: Vec<_> = two[1 - last].take().into_iter().collect();
        drop(ended);
        expect(&limiter, 3, 0, 3);
        drop(two);
        expect(&limiter, 2, 0, 2);
        assert!([2, 3].iter().all(|key| limiter.key(key).is_some()));
        let again = limiter.try_acquire(1).unwrap();
        expect(&limiter, 3, 0, 3);
        drop((again, others));
        expect(&limiter, 0, 0, 0);
    }
}

// F181
#[tokio::test(start_paused = true)]
async fn a_handler_that_calls_under_its_own_key_is_told_and_does_not_hang() {
    let no_line = KeyedLimiter::builder().key_max_concurrency(1);
    let limiter = no_line.build_limiter().unwrap();
    let nested = limiter.run(1, async { limiter.run(1, async {}).await });
    let reason = nested.await.unwrap().unwrap_err().reason();
    assert_eq!(reason, Reason::KeyLimit);

    let timeout = Duration::from_millis(100);
    let limiter = one_each().queue_timeout(timeout).build_limiter().unwrap();
    let nested = limiter.run(1, async { limiter.run(1, async {}).await });
    let rejection = nested.await.unwrap().unwrap_err();
    assert_eq!(rejection.reason(), Reason::QueueTimeout);
    assert_eq!((rejection.waited(), rejection.is_of_key()), (timeout, true));

    let other = limiter.run(1, async { limiter.run(2, async { 7 }).await });
    assert_eq!(other.await.unwrap().unwrap(), 7);
    expect(&limiter, 0, 0, 0);
}

/// A closure of the caller's that fails as a key is read.
#[test]
fn a_key_that_cannot_be_read_takes_nothing() {
    let layer = KeyedLimitLayer::builder(|request: &Option<u32>| request.expect("a key"))
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let inner = service_fn(async |_: Option<u32>| Ok::<_, std::io::Error>(()));
    let mut service = layer.layer(inner);
    let caught = catch_unwind(AssertUnwindSafe(|| drop(service.call(None))));
    assert!(caught.is_err());
    expect(&limiter, 0, 0, 0);
    drop(service.call(Some(1)));
    expect(&limiter, 0, 0, 0);
}
