//! Threads and tasks at one limiter.

use std::thread;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::runtime::Builder;
use tokio::task::{JoinSet, yield_now};
use tower::{Layer, ServiceExt, service_fn};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, PriorityQueueLayer, Ticket};

use crate::inside::Inside;
use crate::wreck::expect_whole;

const ROUNDS: usize = 500;

#[test]
fn blocked_threads_and_tasks_stand_in_one_line_and_all_are_served() {
    let limiter = Limiter::queued(3, 64);
    let inside = Inside::default();
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    let mut tasks = JoinSet::new();
    for _ in 0..16 {
        let (limiter, inside) = (limiter.clone(), inside.clone());
        let served = async move {
            for _ in 0..ROUNDS {
                let permit = limiter.acquire().await.expect("the line has places");
                let stay = inside.enter();
                yield_now().await;
                drop((stay, permit));
            }
        };
        tasks.spawn_on(served, runtime.handle());
    }
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    let permit = limiter.acquire_blocking().expect("the line has places");
                    drop((inside.enter(), permit));
                }
            });
        }
        runtime.block_on(tasks.join_all());
    });
    assert!((2..=3).contains(&inside.most()));
    expect_whole(&limiter);
}

/// A job that works for some turns, and then may fail.
async fn job(inside: Inside, turns: u8) -> Result<(), ()> {
    let _stay = inside.enter();
    for _ in 0..turns {
        yield_now().await;
    }
    if turns == 1 { Err(()) } else { Ok(()) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_every_kind_at_once_leave_the_limiter_whole() {
    let limiter = Limiter::builder()
        .max_concurrency(4)
        .queue_limit(6)
        .use_priority_queue(true)
        .build()
        .unwrap();
    let inside = Inside::default();
    let work = inside.clone();
    let inner = service_fn(move |turns: u8| job(work.clone(), turns));
    let plain = ConcurrencyLimitLayer::from(limiter.clone()).layer(inner.clone());
    let urgent = PriorityQueueLayer::with_limiter(limiter.clone(), |turns: &u8| i32::from(*turns));
    let urgent = urgent.layer(inner);
    let mut callers = JoinSet::new();
    for seed in 0..16 {
        let (plain, urgent, limiter) = (plain.clone(), urgent.clone(), limiter.clone());
        callers.spawn(async move {
            let mut chance = StdRng::seed_from_u64(seed);
            for _ in 0..ROUNDS {
                let turns = chance.random_range(0..5);
                match chance.random_range(0..5) {
                    0 => drop(plain.clone().oneshot(turns).await),
                    1 => drop(urgent.clone().oneshot(turns).await),
                    2 => {
                        let call = tokio::spawn(urgent.clone().oneshot(turns));
                        yield_now().await;
                        call.abort();
                    }
                    3 => {
                        let ticket = Ticket::new().with_weight(u32::from(turns));
                        drop(limiter.acquire_with(ticket).await);
                    }
                    _ => drop(limiter.try_acquire()),
                }
            }
        });
    }
    callers.join_all().await;
    limiter.drained().await;
    assert!((1..=4).contains(&inside.most()));
    expect_whole(&limiter);
}
