use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use inflight_test::Task;
use tokio::task::{JoinSet, yield_now};
use tower_inflight::builder::PriorityQueueBuilder;
use tower_inflight::ticketing::Prioritized as ByPriority;
use tower_inflight::{Limiter, PriorityQueue, PriorityQueueLayer, Reason, Ticket};

use crate::stack::{Inner, Stack, reason};

/// The priority of request `n` is what stands at its place.
type ByNumber = [i32; 6];
type Prioritized<P> = Stack<PriorityQueue<Inner, ByPriority<P>>>;

fn by_number(
    priorities: ByNumber,
) -> PriorityQueueBuilder<ByPriority<impl Fn(&u32) -> i32 + Clone + Send + Sync>> {
    PriorityQueueLayer::builder(move |request: &u32| priorities[*request as usize])
        .max_concurrency(1)
}

fn built<P>(builder: PriorityQueueBuilder<ByPriority<P>>) -> Prioritized<P>
where
    P: Fn(&u32) -> i32 + Clone,
{
    let layer = builder.build().unwrap();
    Stack::of(&layer, layer.limiter())
}

/// Lets one call after the other end, and says in which order they started.
fn started<P>(stack: &Prioritized<P>, calls: &mut [Task<impl Future>]) -> Vec<u32> {
    let mut ended = 0;
    loop {
        while ended < stack.script.work().counts().started {
            stack.finish(ended, Ok(0));
            ended += 1;
        }
        match calls.iter_mut().find(|call| call.is_woken()) {
            Some(woken) => drop(woken.poll()),
            None => return stack.script.requests(),
        }
    }
}

// K43
#[test]
fn the_newest_of_the_lowest_makes_way_and_the_rest_keep_their_order() {
    let mut stack = built(by_number([0, i32::MIN, i32::MIN, 7, 7, i32::MAX]).queue_limit(4));
    let mut calls: Vec<_> = (0..5).map(|request| stack.call(request)).collect();
    let before = stack.limiter.queued_by_priority();
    calls.push(stack.call(5));

    let mut evicted = calls.remove(2);
    assert!(evicted.is_woken());
    assert_eq!(reason(evicted.expect_ready()), Reason::QueueEvicted);
    let after = BTreeMap::from([(i32::MIN, 1), (7, 2), (i32::MAX, 1)]);
    assert_eq!(stack.limiter.queued_by_priority(), after);
    assert_eq!(before, BTreeMap::from([(i32::MIN, 2), (7, 2)]), "a copy");

    assert_eq!(started(&stack, &mut calls), [0, 5, 3, 4, 1]);
    stack.expect(0, 0);
}

// K44
#[test]
fn no_priority_is_zero_and_equals_or_lower_ones_evict_nobody() {
    let limiter = by_number([0; 6]).queue_limit(2).build().unwrap().limiter();
    let running = limiter.try_acquire().unwrap();
    let mut unset = Task::new(limiter.acquire());
    let mut zero = Task::new(limiter.acquire_with(Ticket::new().with_priority(0)));
    for priority in [0, -1] {
        let ticket = Ticket::new().with_priority(priority);
        let rejection = Task::new(limiter.acquire_with(ticket)).expect_ready();
        assert_eq!(rejection.unwrap_err().reason(), Reason::QueueFull);
    }
    assert_eq!(limiter.queued_by_priority(), BTreeMap::from([(0, 2)]));
    drop(running);
    zero.expect_pending();
    drop(unset.expect_ready().unwrap());
    assert!(zero.expect_ready().is_ok());
}

// K50
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_all_priorities_is_never_more_than_the_limit() {
    let limiter = Limiter::builder()
        .max_concurrency(3)
        .queue_limit(4)
        .use_priority_queue(true)
        .build()
        .unwrap();
    let inside = Arc::new(AtomicUsize::new(0));
    let mut workers = JoinSet::new();
    for worker in 0..12 {
        let (limiter, inside) = (limiter.clone(), Arc::clone(&inside));
        workers.spawn(async move {
            let ticket = Ticket::new().with_priority(worker);
            let mut most = 0;
            for attempt in 0..100 {
                let acquire = limiter.acquire_with(ticket);
                if attempt % 3 == 0 {
                    drop(acquire);
                } else if let Ok(_permit) = acquire.await {
                    most = most.max(inside.fetch_add(1, Ordering::SeqCst) + 1);
                    yield_now().await;
                    inside.fetch_sub(1, Ordering::SeqCst);
                }
            }
            most
        });
    }
    let most = workers.join_all().await.into_iter().max();
    assert!((1..=3).contains(&most.unwrap()), "{most:?}");
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.available, snapshot.queued), (3, 0));
}

// K55
#[test]
fn a_line_with_places_left_evicts_nobody() {
    let mut stack = built(by_number([0, 1, 3, 2, 0, 0]).queue_limit(3));
    let mut calls: Vec<_> = (0..4).map(|request| stack.call(request)).collect();
    stack.expect(1, 3);
    assert_eq!(started(&stack, &mut calls), [0, 2, 3, 1]);
}

// K56
#[test]
fn what_runs_is_never_evicted_however_low_it_is() {
    let mut stack = built(by_number([-100, 0, 100, 0, 0, 0]).queue_limit(1));
    let running = stack.call(0);
    let mut waiting = stack.call(1);
    let mut urgent = stack.call(2);
    assert!(!running.is_woken());
    assert_eq!(reason(waiting.expect_ready()), Reason::QueueEvicted);
    stack.expect(1, 1);
    drop(running);
    urgent.expect_pending();
    assert_eq!(stack.script.requests(), [0, 2]);
}

// K58
#[test]
fn one_who_is_evicted_and_leaves_untold_ends_once_and_tells_no_hook() {
    let heard = Arc::new(AtomicUsize::new(0));
    let mut stack = built(by_number([0, 1, 2, 0, 0, 0]).queue_limit(1).on_rejected({
        let heard = Arc::clone(&heard);
        move |_| {
            heard.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let running = stack.call(0);
    let low = stack.call(1);
    let mut high = stack.call(2);
    drop(low);
    stack.expect(1, 1);
    drop(running);
    high.expect_pending();
    assert_eq!(stack.script.requests(), [0, 2]);
    drop(high);
    stack.expect(0, 0);
    assert_eq!(heard.load(Ordering::Relaxed), 0);
}

// K59
#[test]
fn the_place_of_one_who_was_granted_and_not_polled_is_free() {
    let mut stack = built(by_number([0, 3, 3, 0, 0, 0]).queue_limit(1));
    let running = stack.call(0);
    let mut granted = stack.call(1);
    drop(running);
    let mut equal = stack.call(2);
    stack.expect(1, 1);
    granted.expect_pending();
    drop(granted);
    equal.expect_pending();
    assert_eq!(stack.script.requests(), [0, 1, 2]);
}

// K61
#[test]
fn the_lowest_priority_does_not_wait_where_there_is_room() {
    let layer = by_number([i32::MIN; 6]).max_concurrency(2).queue_limit(2);
    let mut stack = built(layer);
    let _other = stack.limiter.try_acquire().unwrap();
    let _admitted = stack.call(0);
    assert_eq!(stack.script.requests(), [0]);
    assert!(stack.limiter.queued_by_priority().is_empty());
}

// K52
#[test]
fn without_a_line_the_highest_priority_is_rejected_too() {
    let mut stack = built(by_number([0, i32::MAX, 0, 0, 0, 0]).max_concurrency(10));
    let running: Vec<_> = (0..10).map(|_| stack.call(0)).collect();
    assert_eq!(stack.rejected(1), Reason::LimitReached);
    assert!(running.iter().all(|call| !call.is_woken()));
    stack.expect(10, 0);
}

// K47
#[test]
fn a_plain_line_has_no_priorities_to_show() {
    let stack = Stack::new(1, 1);
    let high = |priority| Ticket::new().with_priority(priority);
    let held = stack.limiter.try_acquire().unwrap();
    let mut low = Task::new(stack.limiter.acquire_with(high(-100)));
    let urgent = Task::new(stack.limiter.acquire_with(high(100))).expect_ready();
    assert_eq!(urgent.unwrap_err().reason(), Reason::QueueFull);
    assert!(stack.limiter.queued_by_priority().is_empty());
    assert_eq!(stack.limiter.to_string(), "ConcurrencyLimit(1, queue 1)");
    drop(held);
    assert!(low.expect_ready().is_ok());
}

// K46
#[tokio::test(start_paused = true)]
async fn priority_keeps_nobody_from_being_late() {
    let timeout = Duration::from_millis(500);
    let mut stack = built(
        by_number([0, 10, 0, 0, 0, 0])
            .queue_limit(2)
            .queue_timeout(timeout),
    );
    let running = stack.call(0);
    let mut late = stack.call(1);
    tokio::time::advance(timeout).await;
    drop(running);
    assert_eq!(reason(late.expect_ready()), Reason::QueueTimeout);
    stack.expect(0, 0);
}
