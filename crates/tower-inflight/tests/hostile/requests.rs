//! Requests that ask for the most, for the least, or for something else each
//! time, and closures that panic on the way.

use std::cell::RefCell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::time::Duration;

use inflight_test::Task;
use tower::{Layer, Service, service_fn};
use tower_inflight::{
    AdaptiveAimdLayer, ConcurrencyLimitLayer, Limiter, PriorityQueueLayer, Reason, Ticket,
};

use crate::wreck::{expect, expect_panic, expect_whole, explode};

const MOST: u32 = (1 << 31) - 1;

fn answer<Request>(_: Request) -> Ready<Result<u32, &'static str>> {
    ready(Ok(7))
}

fn pending(_: u32) -> std::future::Pending<Result<u32, &'static str>> {
    std::future::pending()
}

#[tokio::test(start_paused = true)]
async fn each_closure_is_asked_once_and_one_that_panics_costs_nothing() {
    for place in 0..=4 {
        let asked = Rc::new(RefCell::new(Vec::new()));
        let ask = |closure: u32| {
            let asked = Rc::clone(&asked);
            move || {
                asked.borrow_mut().push(closure);
                if closure == place {
                    explode();
                }
            }
        };
        let (priority, weight, wait, exempt) = (ask(0), ask(1), ask(2), ask(3));
        let layer = PriorityQueueLayer::builder(move |_: &u32| {
            priority();
            0
        })
        .max_concurrency(1)
        .queue_limit(1)
        .weight(move |_: &u32| {
            weight();
            1
        })
        .max_wait(move |_: &u32| {
            wait();
            Some(Duration::from_secs(1))
        })
        .exempt(move |_: &u32| {
            exempt();
            false
        })
        .build()
        .unwrap();
        let limiter = layer.limiter();
        let mut service = layer.layer(service_fn(answer));
        let held = limiter.try_acquire().unwrap();
        if place < 4 {
            expect_panic(|| service.call(1));
            expect(&limiter, 1, 0);
        } else {
            let mut call = Task::new(service.call(1));
            for _ in 0..20 {
                call.expect_pending();
            }
            let mut asked = asked.take();
            asked.sort_unstable();
            assert_eq!(asked, [0, 1, 2, 3]);
            drop(call);
        }
        drop(held);
        expect_whole(&limiter);
    }
}

#[test]
fn a_closure_that_panics_for_an_adaptive_limit_teaches_it_nothing() {
    let layer = AdaptiveAimdLayer::builder()
        .exempt(|request: &u32| if *request == 0 { explode() } else { false })
        .max_wait(|request: &u32| if *request == 1 { explode() } else { None })
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(answer));
    for request in [0, 1] {
        expect_panic(|| service.call(request));
    }
    assert_eq!(limiter.adaptation().unwrap().baseline(), None);
    expect_whole(&limiter);
}

/// What cannot be told from for ever needs no timer, and no runtime.
#[test]
fn the_longest_wait_is_without_end() {
    let layer = ConcurrencyLimitLayer::queued(1, 1).with_max_wait(|_: &u32| Some(Duration::MAX));
    let limiter = layer.limiter();
    let held = limiter.try_acquire().unwrap();
    let mut service = layer.layer(service_fn(answer));
    let mut call = Task::new(service.call(1));
    call.expect_pending();
    drop(held);
    assert_eq!(call.expect_ready().unwrap(), 7);
    expect_whole(&limiter);
}

#[tokio::test(start_paused = true)]
async fn no_wait_is_too_long_and_none_too_short() {
    let [longest, almost] = [u64::MAX, u64::MAX - 1].map(Duration::from_nanos);
    let day = Duration::from_secs(24 * 60 * 60);
    let nanosecond = Duration::from_nanos(1);
    for wait in [longest, almost, longest / 2, 1_000 * day, day] {
        let layer = ConcurrencyLimitLayer::queued(1, 1).with_max_wait(move |_: &u32| Some(wait));
        let limiter = layer.limiter();
        let held = limiter.try_acquire().unwrap();
        let mut service = layer.layer(service_fn(answer));
        let mut call = Task::new(service.call(1));
        for _ in 0..20 {
            call.expect_pending();
        }
        drop(held);
        assert_eq!(call.expect_ready().unwrap(), 7);
        expect_whole(&limiter);
    }

    let layer = ConcurrencyLimitLayer::queued(1, 1).with_max_wait(move |_: &u32| Some(nanosecond));
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(answer));
    assert_eq!(service.call(1).await.unwrap(), 7, "there was room");
    let held = limiter.try_acquire().unwrap();
    let error = service.call(1).await.unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::QueueTimeout);
    drop(held);
    expect_whole(&limiter);
}

#[test]
fn the_heaviest_runs_alone_under_an_adaptive_limit_that_may_become_as_large() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(2)
        .max_limit(MOST as usize)
        .queue_limit(2)
        .weight(|request: &u32| *request)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(pending));
    let mut heaviest = Task::new(service.call(MOST));
    heaviest.expect_pending();
    expect(&limiter, MOST as usize, 0);
    assert_eq!(limiter.snapshot().available, 0);
    let mut lightest = Task::new(service.call(0));
    let mut another = Task::new(service.call(MOST));
    for waiting in [&mut lightest, &mut another] {
        waiting.expect_pending();
    }
    expect(&limiter, MOST as usize, 2);
    for weight in [MOST + 1, u32::MAX] {
        let error = Task::new(service.call(weight)).expect_ready().unwrap_err();
        assert_eq!(error.rejection().unwrap().reason(), Reason::TooHeavy);
    }
    drop(heaviest);
    expect(&limiter, 1, 1);
    drop(lightest);
    expect(&limiter, MOST as usize, 0);
    drop(another);
    expect_whole(&limiter);
}

#[test]
fn what_is_exempt_passes_whatever_else_it_asks_for() {
    let layer = PriorityQueueLayer::new(1, 0, |_: &u32| i32::MIN)
        .with_weight(|_: &u32| u32::MAX)
        .with_max_wait(|_: &u32| Some(Duration::ZERO))
        .with_exempt(|_: &u32| true);
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(answer));
    let held = limiter.try_acquire().unwrap();
    assert_eq!(Task::new(service.call(1)).expect_ready().unwrap(), 7);
    limiter.close();
    assert_eq!(Task::new(service.call(1)).expect_ready().unwrap(), 7);
    expect(&limiter, 1, 0);
    drop(held);
    expect(&limiter, 0, 0);
}

/// Limits that fall, rise and close while heavy, light and exempt calls come,
/// wait and go.
#[test]
fn the_numbers_add_up_whatever_the_limit_does_meanwhile() {
    let layer = PriorityQueueLayer::builder(|request: &u32| i32::from(*request % 3 == 0))
        .max_concurrency(4)
        .queue_limit(6)
        .weight(|request: &u32| request % 4)
        .exempt(|request: &u32| request % 5 == 0)
        .build()
        .unwrap();
    let limiter: Limiter = layer.limiter();
    let mut service = layer.layer(service_fn(pending));
    let mut calls = Vec::new();
    for step in 0..2_000_u32 {
        let mut call = Task::new(service.call(step));
        if call.poll().is_pending() {
            calls.push(call);
        }
        if step % 7 == 0 {
            limiter.set_limit(1 + (step as usize * 31) % 9).unwrap();
        }
        if step % 2 == 0 && !calls.is_empty() {
            drop(calls.swap_remove(step as usize * 17 % calls.len()));
        }
        calls.retain_mut(|call| call.poll().is_pending());
        let snapshot = limiter.snapshot();
        assert!(snapshot.queued <= 6);
        let weight = u32::try_from(snapshot.limit).unwrap();
        if snapshot.in_flight == 0 {
            assert_eq!(snapshot.queued, 0, "whoever is first fits");
        } else if snapshot.queued > 0 {
            let ticket = Ticket::new().with_weight(weight).with_priority(i32::MIN);
            assert!(limiter.try_acquire_with(ticket).is_err());
        }
    }
    limiter.close();
    calls.retain_mut(|call| call.poll().is_pending());
    assert_eq!(limiter.snapshot().queued, 0);
    drop(calls);
    expect(&limiter, 0, 0);
}
