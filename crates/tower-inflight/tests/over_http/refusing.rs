use std::collections::HashSet;
use std::task::Poll;
use std::time::Duration;

use tokio_test::task::{Spawn, spawn};
use tower_inflight::{KeyedLimitOptions, KeyedLimiter, Limiter, Reason, Rejection, Ticket};

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

/// A rejection for each reason that a limiter with keys has of its own, and for
/// both bounds where either may be the reason.
pub(crate) fn rejections_by_key() -> Vec<Rejection> {
    let plain = Ticket::new();
    let high = plain.with_priority(1);
    let hurried = plain.with_max_wait(Duration::ZERO);
    let rejections = vec![
        refused_by_key([0, 0], &[('a', plain), ('a', plain)]),
        refused_by_key([2, 1], &[('a', plain), ('a', plain), ('a', plain)]),
        refused_by_key([2, 1], &[('a', plain), ('a', plain), ('a', high)]),
        refused_by_key([0, 0], &[('a', plain), ('b', plain), ('c', plain)]),
        refused_by_key(
            [1, 2],
            &[('a', plain), ('a', plain), ('b', plain), ('b', plain)],
        ),
        refused_by_key([1, 2], &[('a', plain), ('a', plain), ('a', high)]),
        refused_by_key([1, 1], &[('a', hurried)]),
        refused_by_key(
            [2, 1],
            &[('a', plain), ('b', plain), ('c', plain), ('d', plain)],
        ),
    ];
    let facts = |rejection: &Rejection| (rejection.reason(), rejection.is_of_key());
    let different: HashSet<_> = rejections.iter().map(facts).collect();
    assert_eq!(different.len(), rejections.len());
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

/// The one of `arrivals` that is turned away by a limit of 2, 1 a key, of 3 keys.
fn refused_by_key(queue_limits: [usize; 2], arrivals: &[(char, Ticket)]) -> Rejection {
    let [queue_limit, key_queue_limit] = queue_limits;
    let limiter = KeyedLimiter::builder()
        .options(KeyedLimitOptions {
            max_concurrency: 2,
            key_max_concurrency: 1,
            max_keys: 3,
            queue_limit,
            key_queue_limit,
            use_priority_queue: true,
            ..KeyedLimitOptions::default()
        })
        .build_limiter()
        .unwrap();
    let mut calls: Vec<_> = arrivals
        .iter()
        .map(|&(key, ticket)| spawn(limiter.acquire_with(key, ticket)))
        .collect();
    let mut answers = calls.iter_mut().map(Spawn::poll);
    let refused = answers.find_map(|answer| match answer {
        Poll::Ready(answer) => answer.err(),
        Poll::Pending => None,
    });
    refused.expect("one is too many")
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
