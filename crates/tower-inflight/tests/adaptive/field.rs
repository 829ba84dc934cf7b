//! What went wrong in other adaptive limits.

use tokio::time::advance;
use tower_inflight::algorithm::Verdict;
use tower_inflight::{AdaptiveAimdLayer, Reason};

use crate::house::{House, SECOND, ms};

// F141
#[tokio::test(start_paused = true)]
async fn one_wave_of_failures_is_one_cut_and_lets_nobody_in() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(50)
        .queue_limit(1)
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    house.succeed();
    let mut wave = house.begin_all(50);
    let mut waiting = inflight_test::Task::new(tower::Service::call(&mut house.service, 1));
    waiting.expect_pending();
    advance(SECOND).await;

    house.end(1, &mut wave[0], Err("failed"));
    assert_eq!(house.limit(), 45);
    assert_eq!(house.load(), (49, 1), "cut first, given back then");
    for (job, call) in wave.iter_mut().enumerate().skip(1).take(4) {
        house.end(1 + job, call, Err("failed"));
        assert!(house.limiter.try_acquire().is_err(), "{} run", 49 - job);
    }
    assert!(!waiting.is_woken());
    for (job, call) in wave.iter_mut().enumerate().skip(5) {
        house.end(1 + job, call, Err("failed"));
    }
    assert!(waiting.is_woken());
    assert_eq!(house.limit(), 45, "one wave, one cut");
    let last = house.limiter.adaptation().unwrap().last.unwrap();
    assert_eq!((last.number, last.verdict), (1, Verdict::Overload));
}

// F145
#[tokio::test(start_paused = true)]
async fn a_rejection_shows_what_an_average_hides() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(10)
        .max_limit(10)
        .name("bursts")
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    for _ in 0..5 {
        let first = house.started();
        let mut burst = house.begin_all(10);
        for _ in 0..2 {
            let rejection = house.expect_rejected();
            assert_eq!(rejection.reason(), Reason::LimitReached);
            assert_eq!((rejection.limit(), rejection.in_flight()), (10, 10));
            assert_eq!(rejection.name(), Some("bursts"));
        }
        advance(ms(5)).await;
        for (job, call) in burst.iter_mut().enumerate() {
            house.end(first + job, call, Ok(1));
        }
        advance(ms(995)).await;
        assert_eq!(house.limit(), 10);
    }
}

// F133: the half of it that needs calls; the rest is arithmetic.
#[tokio::test(start_paused = true)]
async fn an_hour_of_silence_is_one_window() {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(10)
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    let mut five = house.begin_all(5);
    house.end(0, &mut five[0], Ok(1));
    advance(SECOND * 3_600).await;
    house.succeed();
    assert_eq!(house.limit(), 11);
    house.succeed();
    assert_eq!(house.limit(), 11);
}
