//! Wake-ups that are lost, and waiters that are stranded.

use std::sync::Arc;

use inflight_test::{Script, Task};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::Notify;
use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep, timeout};
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimitLayer, Limiter, Reason};

use crate::workshop::{expect, ms};

// F23
#[test]
fn closing_answers_those_who_wait_and_lets_the_rest_end() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 3).layer(script.service());
    let mut running = Task::new(service.call(0));
    running.expect_pending();
    let mut waiting = [1, 2, 3].map(|request| Task::new(service.call(request)));
    waiting.iter_mut().for_each(Task::expect_pending);

    service.limiter().close();
    for call in &mut waiting {
        assert_eq!(call.wakes(), 1);
        let error = call.expect_ready().unwrap_err();
        assert_eq!(error.rejection().unwrap().reason(), Reason::Closed);
    }
    let error = Task::new(service.call(4)).expect_ready().unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::Closed);
    script.work().finish(0, Ok(5));
    assert_eq!(running.expect_ready().unwrap(), 5);
}

// F25
#[tokio::test]
async fn two_clones_that_wait_in_two_tasks_are_both_woken() {
    let script: Script<u32, u32, &str> = Script::new();
    let service = ConcurrencyLimitLayer::queued(1, 2).layer(script.service());
    let limiter = service.limiter();
    let held = limiter.try_acquire().unwrap();
    let mut tasks = JoinSet::new();
    for request in [1, 2] {
        let mut service = service.clone();
        tasks.spawn(async move { service.call(request).await });
    }
    while limiter.snapshot().queued < 2 {
        yield_now().await;
    }
    drop(held);
    for job in 0..2 {
        script.work().finish(job, Ok(7));
        assert_eq!(tasks.join_next().await.unwrap().unwrap().unwrap(), 7);
    }
    expect(&limiter, 0, 0);
}

// F29
#[tokio::test(start_paused = true)]
async fn clients_that_give_up_at_any_moment_leave_no_permit_idle() {
    const CLIENTS: usize = 100;
    let limiter = Limiter::queued(1, CLIENTS);
    let served = Arc::new(Notify::new());
    let mut clients = JoinSet::new();
    for seed in 0..CLIENTS as u64 {
        let (limiter, served) = (limiter.clone(), Arc::clone(&served));
        clients.spawn(async move {
            let mut chance = StdRng::seed_from_u64(seed);
            loop {
                // Releases and ends of patience fall on the same milliseconds.
                let patience = ms(chance.random_range(1..4));
                if let Ok(permit) = timeout(patience, limiter.acquire()).await {
                    let _permit = permit.unwrap();
                    served.notify_one();
                    sleep(ms(1)).await;
                }
            }
        });
    }
    let start = Instant::now();
    while start.elapsed() < ms(1_000) {
        served.notified().await;
        let snapshot = limiter.snapshot();
        assert!(snapshot.queued == 0 || snapshot.available == 0);
    }
    clients.shutdown().await;
    expect(&limiter, 0, 0);
}
