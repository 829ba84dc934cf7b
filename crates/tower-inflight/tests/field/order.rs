//! Who is next, and who would like to be.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use inflight_test::{Script, Task};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter};

use crate::workshop::{expect, ms, work_for};

// F31
#[test]
fn one_who_waits_is_served_whoever_tries_meanwhile() {
    let limiter = Limiter::queued(1, 2);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                drop(limiter.try_acquire());
            }
        });
        for _ in 0..1_000 {
            // The spinning thread is the only other, so there is a place.
            let held = limiter.acquire_blocking().unwrap();
            let mut waiting = Task::new(limiter.acquire());
            waiting.expect_pending();
            drop(held);
            assert_eq!(waiting.wakes(), 1);
            drop(waiting.expect_ready().unwrap());
        }
        over.store(true, Ordering::Relaxed);
    });
    expect(&limiter, 0, 0);
}

// F35
#[tokio::test(start_paused = true)]
async fn under_load_nobody_is_passed() {
    let started = Arc::new(Mutex::new(Vec::new()));
    let arrived = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&started);
    let service = ConcurrencyLimitLayer::queued(2, 25).layer(service_fn(move |call| {
        note.lock().unwrap().push(call);
        work_for(5)
    }));
    let start = Instant::now();
    let mut clients = JoinSet::new();
    for client in 0..10 {
        let (mut service, arrived) = (service.clone(), Arc::clone(&arrived));
        clients.spawn(async move {
            let mut longest = Duration::ZERO;
            for call in 0.. {
                if start.elapsed() > ms(2_000) {
                    return longest;
                }
                let sent = Instant::now();
                arrived.lock().unwrap().push((client, call));
                service.call((client, call)).await.unwrap();
                longest = longest.max(sent.elapsed());
            }
            longest
        });
    }
    let longest = clients.join_all().await.into_iter().max().unwrap();
    // Four rounds of two are before the ninth and the tenth.
    assert_eq!(longest, 5 * ms(5));
    assert_eq!(*started.lock().unwrap(), *arrived.lock().unwrap());
}

// F37: a place is taken by `call`, and only that counts.
#[test]
fn a_call_that_is_never_polled_keeps_its_place_until_it_is_dropped() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 1).layer(script.service());
    let first = service.call(1);
    let mut second = Task::new(service.call(2));
    second.expect_pending();
    assert!(script.requests().is_empty(), "neither has begun");

    drop(first);
    assert!(second.is_woken());
    second.expect_pending();
    script.work().finish(0, Ok(20));
    assert_eq!(second.expect_ready().unwrap(), 20);
    expect(&service.limiter(), 0, 0);
}

// F49
#[tokio::test(start_paused = true)]
async fn priority_matters_only_in_the_line() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&order);
    let layer = tower_inflight::PriorityQueueLayer::new(5, 5, |priority: &i32| *priority);
    let service = layer.layer(service_fn(move |priority| {
        note.lock().unwrap().push(priority);
        async {
            sleep(ms(1)).await;
            Ok::<_, ()>(())
        }
    }));
    let (low, high) = tokio::join!(service.clone().oneshot(0), service.clone().oneshot(9));
    assert!(low.is_ok() && high.is_ok());
    assert_eq!(*order.lock().unwrap(), [0, 9]);
}
