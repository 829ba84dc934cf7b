use std::time::Duration;

use tokio::time::advance;
use tower::{Layer, Service, service_fn};
use tower_inflight::{AdaptiveAimdLayer, KeyedLimiter, Limiter};
use tracing::Level;

use crate::log::Log;

#[test]
fn a_limit_that_is_set_by_hand_is_said_if_it_changes() {
    let log = Log::new();
    let limiter = Limiter::builder().max_concurrency(4).name("search").build();
    let limiter = limiter.unwrap();
    limiter.set_limit(9).unwrap();
    log.take_one(Level::INFO).assert_says(&[
        ("after", "9"),
        ("before", "4"),
        ("limiter", "search"),
        ("message", "the limit was set"),
    ]);
    limiter.set_limit(9).unwrap();
    limiter.set_limit(0).unwrap_err();
    AdaptiveAimdLayer::new().limiter().set_limit(9).unwrap_err();
    assert_eq!(log.take(), []);
}

#[test]
fn a_close_is_said_once_with_what_it_found() {
    let log = Log::new();
    let limiter = Limiter::queued(1, 2);
    let held = limiter.try_acquire().unwrap();
    let waiting = [limiter.acquire(), limiter.acquire()];
    limiter.close();
    log.take_one(Level::INFO).assert_says(&[
        ("in_flight", "1"),
        ("message", "the limiter was closed"),
        ("queued", "2"),
    ]);
    limiter.close();
    drop((held, waiting));
    assert_eq!(log.take(), []);
}

#[test]
fn a_limiter_with_keys_says_the_same_of_its_total() {
    let log = Log::new();
    let builder = KeyedLimiter::<char>::builder().max_concurrency(4);
    let limiter = builder.name("tenants").build_limiter().unwrap();
    limiter.set_limit(9).unwrap();
    log.take_one(Level::INFO).assert_says(&[
        ("after", "9"),
        ("before", "4"),
        ("limiter", "tenants"),
        ("message", "the limit was set"),
    ]);
    let held = limiter.try_acquire('a').unwrap();
    limiter.close();
    log.take_one(Level::INFO).assert_says(&[
        ("in_flight", "1"),
        ("limiter", "tenants"),
        ("message", "the limiter was closed"),
        ("queued", "0"),
    ]);
    limiter.close();
    drop(held);
    assert_eq!(log.take(), []);
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_adapts_is_a_debug_event_with_its_cause() {
    let log = Log::new();
    let layer = AdaptiveAimdLayer::builder().name("search").build().unwrap();
    let mut service = layer.layer(service_fn(async |(): ()| Err::<(), _>("broken")));
    service.call(()).await.unwrap_err();
    advance(Duration::from_secs(1)).await;
    service.call(()).await.unwrap_err();
    log.take_one(Level::DEBUG).assert_says(&[
        ("after", "9"),
        ("before", "10"),
        ("cause", "overload"),
        ("enforced", "true"),
        ("limiter", "search"),
        ("message", "the limit changed"),
    ]);
}
