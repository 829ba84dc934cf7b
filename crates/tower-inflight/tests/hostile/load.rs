//! A limit that changes while everybody uses it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::runtime::Builder;
use tokio::task::{JoinSet, yield_now};
use tower_inflight::{Limiter, Reason};

use crate::inside::Inside;
use crate::wreck::{expect, expect_whole};

const HIGHEST: usize = 5;

#[test]
fn a_limit_that_changes_all_the_time_is_never_above_its_highest_and_strands_nobody() {
    let limiter = Limiter::queued(1, 64);
    let inside = Inside::default();
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    let mut callers = JoinSet::new();
    for _ in 0..32 {
        let (limiter, inside) = (limiter.clone(), inside.clone());
        let calls = async move {
            for _ in 0..300 {
                let permit = limiter.acquire().await.expect("the line has places");
                let stay = inside.enter();
                yield_now().await;
                drop((stay, permit));
            }
        };
        callers.spawn_on(calls, runtime.handle());
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for limit in (1..=HIGHEST).cycle() {
                limiter.set_limit(limit).unwrap();
                let snapshot = limiter.snapshot();
                assert!(snapshot.in_flight <= HIGHEST);
                assert_eq!((snapshot.limit, snapshot.max_limit), (limit, limit));
                if over.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        runtime.block_on(callers.join_all());
        over.store(true, Ordering::Relaxed);
    });
    let most = inside.most();
    assert!((2..=HIGHEST).contains(&most), "{most}");
    expect_whole(&limiter);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_under_load_answers_everybody() {
    for _ in 0..100 {
        let limiter = Limiter::queued(2, 16);
        let mut callers = JoinSet::new();
        for _ in 0..12 {
            let limiter = limiter.clone();
            callers.spawn(async move {
                loop {
                    match limiter.acquire().await {
                        Ok(_permit) => yield_now().await,
                        Err(rejection) => return rejection.reason(),
                    }
                }
            });
        }
        yield_now().await;
        limiter.close();
        limiter.drained().await;
        let reasons = callers.join_all().await;
        assert_eq!(reasons, [Reason::Closed; 12]);
        expect(&limiter, 0, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watching_for_the_drain_under_load_changes_nothing() {
    let limiter = Limiter::queued(1, 64);
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        let limiter = limiter.clone();
        callers.spawn(async move {
            for _ in 0..200 {
                drop(limiter.acquire().await.expect("the line has places"));
                limiter.drained().await;
            }
        });
    }
    callers.join_all().await;
    expect_whole(&limiter);
}
