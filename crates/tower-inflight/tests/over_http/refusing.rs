use std::collections::HashSet;
use std::time::Duration;

use tokio_test::task::spawn;
use tower_inflight::{Limiter, Reason, Rejection, Ticket};

/// A rejection for each of the reasons, from a limiter with a name.
pub(crate) fn rejections() -> Vec<Rejection> {
    let rejections = vec![
        limit_reached(),
        queue_full(),
        queue_timeout(),
        queue_evicted(),
        too_heavy(),
        closed(),
    ];
    let reasons: HashSet<Reason> = rejections.iter().map(Rejection::reason).collect();
    assert_eq!(reasons.len(), rejections.len());
    rejections
}

pub(crate) fn limit_reached() -> Rejection {
    let limiter = limiter(0);
    let _held = limiter.try_acquire().unwrap();
    limiter.try_acquire().unwrap_err()
}

pub(crate) fn closed() -> Rejection {
    let limiter = limiter(0);
    limiter.close();
    limiter.try_acquire().unwrap_err()
}

pub(crate) fn too_heavy() -> Rejection {
    let ticket = Ticket::new().with_weight(99);
    refused(&limiter(0), ticket)
}

fn queue_full() -> Rejection {
    let limiter = limiter(1);
    let _held = limiter.try_acquire().unwrap();
    let _waits = limiter.acquire();
    refused(&limiter, Ticket::new())
}

fn queue_timeout() -> Rejection {
    let ticket = Ticket::new().with_max_wait(Duration::ZERO);
    refused(&limiter(1), ticket)
}

fn queue_evicted() -> Rejection {
    let limiter = limiter(1);
    let _held = limiter.try_acquire().unwrap();
    let mut low = spawn(limiter.acquire());
    let _high = limiter.acquire_with(Ticket::new().with_priority(1));
    let answer = low.poll();
    tokio_test::assert_ready!(answer).unwrap_err()
}

fn refused(limiter: &Limiter, ticket: Ticket) -> Rejection {
    let answer = spawn(limiter.acquire_with(ticket)).poll();
    tokio_test::assert_ready!(answer).unwrap_err()
}

fn limiter(queue_limit: usize) -> Limiter {
    Limiter::builder()
        .max_concurrency(1)
        .queue_limit(queue_limit)
        .use_priority_queue(queue_limit > 0)
        .name("internal")
        .build()
        .unwrap()
}
