use std::convert::Infallible;
use std::time::Duration;

use inflight_test::{Script, Task};
use tokio::time::advance;
use tower::{Layer, Service};
use tower_inflight::{KeyedLimitLayer, Limiter, PriorityQueueLayer};
use tracing::Level;

use crate::log::Log;

#[tokio::test(start_paused = true)]
async fn each_rejection_is_a_debug_event_with_its_facts_and_nothing_of_the_request() {
    let log = Log::new();
    let script = Script::<i32, (), Infallible>::new();
    let builder = PriorityQueueLayer::builder(|priority: &i32| *priority);
    let builder = builder.max_concurrency(1).queue_limit(1);
    let builder = builder.queue_timeout(Duration::from_secs(10));
    let layer = builder.name("search").build();
    let mut service = layer.unwrap().layer(script.service());
    let _running = service.call(0);
    let mut evicted = Task::new(service.call(-7));
    evicted.expect_pending();
    advance(Duration::from_millis(250)).await;
    let _waiting = service.call(7);
    assert!(log.take().is_empty(), "nobody has been told yet");

    evicted.expect_ready().unwrap_err();
    log.take_one(Level::DEBUG).assert_says(&[
        ("in_flight", "1"),
        ("limit", "1"),
        ("limiter", "search"),
        ("message", "a call was rejected"),
        ("queue_limit", "1"),
        ("queued", "0"),
        ("reason", "queue_evicted"),
        ("waited", "250ms"),
    ]);
}

#[test]
fn a_call_that_is_rejected_at_once_is_said_in_every_way_to_call() {
    let log = Log::new();
    let script = Script::<i32, (), Infallible>::new();
    let layer = PriorityQueueLayer::new(1, 0, |priority: &i32| *priority);
    let limiter = layer.limiter();
    let mut service = layer.layer(script.service());
    let _held = limiter.try_acquire().unwrap();
    drop(service.call(1));
    limiter.try_acquire().unwrap_err();
    limiter.acquire_blocking().unwrap_err();
    drop(limiter.acquire());
    let said = log.take();
    let each = said.iter().filter(|entry| entry.level == Level::DEBUG);
    assert_eq!(each.count(), 4, "{said:?}");
}

#[test]
fn a_rejection_of_one_key_is_said_without_the_key() {
    let log = Log::new();
    let script = Script::<char, (), Infallible>::new();
    let builder = KeyedLimitLayer::builder(|tenant: &char| *tenant);
    let builder = builder.key_max_concurrency(1).name("tenants");
    let mut service = builder.build().unwrap().layer(script.service());
    let _running = service.call('a');
    drop(service.call('a'));
    log.take_one(Level::DEBUG).assert_says(&[
        ("in_flight", "1"),
        ("limit", "1"),
        ("limiter", "tenants"),
        ("message", "a call was rejected"),
        ("queue_limit", "0"),
        ("queued", "0"),
        ("reason", "key_limit"),
        ("waited", "0ns"),
    ]);
}

#[tokio::test(start_paused = true)]
async fn an_overload_is_one_warning_in_ten_seconds_that_says_how_many() {
    let log = Log::new();
    let builder = Limiter::builder().max_concurrency(1).name("search");
    let limiter = builder.build().unwrap();
    let _held = limiter.try_acquire().unwrap();
    let reject = |calls| (0..calls).for_each(|_| assert!(limiter.try_acquire().is_err()));
    let warned = || {
        let mut said = log.take();
        said.retain(|entry| entry.level == Level::WARN);
        let calls = said.iter().map(|entry| entry.fields["calls"].clone());
        calls.collect::<Vec<_>>()
    };
    reject(1);
    log.take_one(Level::WARN).assert_says(&[
        ("calls", "1"),
        ("in_flight", "1"),
        ("limit", "1"),
        ("limiter", "search"),
        ("message", "calls are being rejected"),
        ("queue_limit", "0"),
        ("queued", "0"),
        ("reason", "limit_reached"),
    ]);
    reject(500);
    advance(Duration::from_millis(9_999)).await;
    reject(1);
    assert_eq!(warned(), [""; 0]);
    advance(Duration::from_millis(1)).await;
    reject(1);
    assert_eq!(warned(), ["502"]);
    advance(Duration::from_secs(3_600)).await;
    reject(1);
    assert_eq!(warned(), ["1"]);
}

#[test]
fn whoever_listens_to_warnings_alone_is_warned() {
    let log = Log::up_to(Level::WARN);
    let script = Script::<i32, (), Infallible>::new();
    let layer = PriorityQueueLayer::new(1, 0, |priority: &i32| *priority);
    let mut service = layer.layer(script.service());
    let _running = service.call(0);
    drop(service.call(1));
    assert_eq!(log.take_one(Level::WARN).fields["calls"], "1");
}

#[test]
fn those_who_come_after_the_close_raise_no_alarm() {
    let log = Log::new();
    let limiter = Limiter::new(1);
    limiter.close();
    limiter.try_acquire().unwrap_err();
    let said = log.take();
    assert!(
        said.iter().all(|entry| entry.level != Level::WARN),
        "{said:?}"
    );
    assert!(
        said.iter().any(|entry| entry.level == Level::DEBUG),
        "{said:?}"
    );
}
