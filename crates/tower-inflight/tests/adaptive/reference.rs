//! What the reference says of the adaptive limit.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use inflight_test::Task;
use tokio::runtime::{self, Runtime};
use tokio::time::advance;
use tower::Service;
use tower_inflight::{AdaptiveAimdLayer, AimdOptions};

use crate::house::{House, SECOND, ms};

// K86
#[tokio::test(start_paused = true)]
async fn a_mean_above_the_tolerance_halves_the_limit() {
    let mut house = House::halving(4);
    let timed = async |house: &mut House, millis| {
        let job = house.started();
        let mut call = house.begin();
        advance(ms(millis)).await;
        house.end(job, &mut call, Ok(7));
    };
    timed(&mut house, 1).await;
    advance(SECOND).await;
    timed(&mut house, 1).await;
    assert_eq!(house.limit(), 4, "one of four is less than half");

    timed(&mut house, 20).await;
    assert_eq!(house.limit(), 4);
    advance(SECOND).await;
    timed(&mut house, 20).await;
    assert_eq!(house.limit(), 2);
}

// K88
#[tokio::test(start_paused = true)]
async fn after_a_cut_what_runs_drains_before_anybody_is_admitted() {
    let mut house = House::halving(4);
    house.succeed();
    let mut held = house.begin_all(4);
    advance(SECOND).await;
    house.end(1, &mut held[0], Err("failed"));
    let snapshot = house.limiter.snapshot();
    assert_eq!((snapshot.limit, snapshot.in_flight), (2, 3));
    assert_eq!(snapshot.available, 0);

    assert_eq!(house.expect_rejected().in_flight(), 3);
    house.end(2, &mut held[1], Ok(1));
    assert_eq!(house.expect_rejected().in_flight(), 2);
    house.end(3, &mut held[2], Ok(1));
    let _admitted = house.begin();
    assert_eq!(house.load(), (2, 0));
}

// K89
#[tokio::test(start_paused = true)]
async fn a_burst_is_admitted_up_to_the_limit_and_moves_nothing() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(3)
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    let _held = house.begin_all(3);
    for _ in 0..47 {
        assert_eq!(house.expect_rejected().limit(), 3);
    }
    assert_eq!(house.load(), (3, 0));
    assert_eq!(house.limit(), 3);
}

/// K91 in so far as it applies: there is one clock, tokio's, which differs
/// only from runtime to runtime. One that is behind stands still until it has
/// caught up.
#[test]
fn a_clock_that_is_behind_stands_still() {
    let ahead = paused();
    let mut house = ahead.block_on(async {
        let layer = AdaptiveAimdLayer::builder()
            .options(AimdOptions {
                initial_limit: 2,
                max_limit: 2,
                decrease_factor: 0.5,
                ..AimdOptions::default()
            })
            .build()
            .unwrap();
        let mut house = House::aimd(&layer);
        advance(SECOND * 3_600).await;
        house.succeed();
        advance(SECOND).await;
        house.succeed();
        house
    });
    assert_eq!(house.limit(), 2);

    paused().block_on(async {
        house.fail();
        advance(SECOND).await;
        house.fail();
        assert_eq!(house.limit(), 2, "an hour behind");
        advance(SECOND * 3_601).await;
        house.fail();
        assert_eq!(house.limit(), 1);
    });
}

fn paused() -> Runtime {
    let mut builder = runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap()
}

// K92
#[tokio::test(start_paused = true)]
async fn a_rejection_and_its_hook_see_the_limit_of_that_moment() {
    let seen = Arc::new(AtomicUsize::new(0));
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(2)
        .max_limit(2)
        .decrease_factor(0.5)
        .on_rejected({
            let seen = Arc::clone(&seen);
            move |rejection| seen.store(rejection.limit(), Ordering::Relaxed)
        })
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    house.succeed();
    advance(SECOND).await;
    house.fail();
    assert_eq!(house.limit(), 1);

    let mut held = house.begin();
    assert_eq!(house.expect_rejected().limit(), 1);
    assert_eq!(seen.load(Ordering::Relaxed), 1);
    house.end(2, &mut held, Ok(1));
    house.succeed();
}

// K112
#[tokio::test(start_paused = true)]
async fn rejections_of_its_own_lower_nothing() {
    let mut house = House::halving(4);
    let mut held = house.begin_all(4);
    for _ in 0..1_000 {
        house.expect_rejected();
    }
    house.end(0, &mut held[0], Ok(1));
    (0..1_000).for_each(|_| drop(house.service.call(1)));
    advance(SECOND).await;
    house.end(1, &mut held[1], Ok(1));
    assert_eq!(house.limit(), 5, "healthy, and in use");
    let window = house.limiter.adaptation().unwrap().last_window().unwrap();
    assert_eq!((window.successes, window.overloads), (2, 0));
}

// K116
#[tokio::test(start_paused = true)]
async fn one_failure_of_many_at_work_halves_the_limit_once() {
    for workers in [2, 3, 8, 33] {
        let layer = AdaptiveAimdLayer::builder()
            .initial_limit(workers)
            .max_limit(workers)
            .sampling_window(ms(5))
            .decrease_factor(0.5)
            .build()
            .unwrap();
        let mut house = House::aimd(&layer);
        house.succeed();
        let mut calls = house.begin_all(workers);
        house.expect_rejected();
        advance(ms(5)).await;
        house.end(1, &mut calls[0], Err("failed"));
        assert_eq!(house.limit(), workers / 2);
        assert_eq!(house.load(), (workers - 1, 0));
        for (job, call) in calls.iter_mut().enumerate().skip(1) {
            house.end(1 + job, call, Ok(1));
        }
        assert_eq!(house.limit(), workers / 2, "all of them in the next window");
        assert_eq!(house.load(), (0, 0));
    }
}

// F127
#[tokio::test(start_paused = true)]
async fn a_cut_ends_at_the_least_limit() {
    let layer = AdaptiveAimdLayer::builder()
        .min_limit(5)
        .initial_limit(6)
        .decrease_factor(0.5)
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    for limit in [6, 5, 5] {
        house.fail();
        assert_eq!(house.limit(), limit);
        advance(SECOND).await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_shares_the_limiter_shares_what_it_has_learnt() {
    let mut house = House::halving(4);
    let shared = Arc::new(Mutex::new(house.service.clone()));
    house.fail();
    advance(SECOND).await;
    let mut other = shared.lock().unwrap();
    house.script.work().finish(1, Err("failed"));
    Task::new(other.call(0)).expect_ready().unwrap_err();
    assert_eq!(house.limit(), 2);
    assert_eq!(other.limiter().adaptation(), house.limiter.adaptation());
}
