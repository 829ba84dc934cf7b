//! The layer that goes by priority.

use inflight_test::{Script, ScriptedService, Task};
use tower::{Layer, Service};
use tower_inflight::future::ResponseFuture;
use tower_inflight::ticketing::Prioritized;
use tower_inflight::{ConcurrencyLimitLayer, Limiter, PriorityQueue, PriorityQueueLayer, Reason};

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Request {
    priority: i32,
    weight: u32,
    id: u32,
}

fn request(id: u32, priority: i32) -> Request {
    Request {
        priority,
        weight: 1,
        id,
    }
}

type Inner = ScriptedService<Request, u32, &'static str>;
type ByPriority = Prioritized<fn(&Request) -> i32>;
type Limited = PriorityQueue<Inner, ByPriority>;
type Call = Task<ResponseFuture<Inner, Request>>;

fn priority(request: &Request) -> i32 {
    request.priority
}

fn limited(
    max_concurrency: usize,
    queue_limit: usize,
) -> (Script<Request, u32, &'static str>, Limited) {
    let script = Script::new();
    let layer = PriorityQueueLayer::new(
        max_concurrency,
        queue_limit,
        priority as fn(&Request) -> i32,
    );
    let service = layer.layer(script.service());
    (script, service)
}

fn call(service: &mut Limited, id: u32, priority: i32) -> Call {
    let mut call = Task::new(service.call(request(id, priority)));
    let _ = call.poll();
    call
}

fn ids(script: &Script<Request, u32, &'static str>) -> Vec<u32> {
    script.requests().iter().map(|request| request.id).collect()
}

#[test]
fn the_highest_goes_first_and_equals_in_order() {
    let (script, mut service) = limited(1, 5);
    let running = call(&mut service, 0, i32::MIN);
    let order = [(1, 0), (2, 7), (3, -7), (4, 7), (5, i32::MAX)];
    let mut waiting = order.map(|(id, priority)| call(&mut service, id, priority));
    drop(running);
    for turn in [5, 2, 4, 1, 3] {
        let next = &mut waiting[turn - 1];
        assert!(next.is_woken());
        next.expect_pending();
        script.work().finish(script.requests().len() - 1, Ok(0));
        next.expect_ready().unwrap();
    }
    assert_eq!(ids(&script), [0, 5, 2, 4, 1, 3]);
}

#[test]
fn a_strictly_higher_arrival_evicts_the_newest_of_the_lowest() {
    let (script, mut service) = limited(1, 2);
    let running = call(&mut service, 0, 0);
    let mut first = call(&mut service, 1, 1);
    let mut second = call(&mut service, 2, 1);
    let mut third = call(&mut service, 3, 2);

    assert!(second.is_woken() && !first.is_woken());
    let error = second.expect_ready().unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::QueueEvicted);
    drop(running);
    third.expect_pending();
    drop(third);
    first.expect_pending();
    assert_eq!(ids(&script), [0, 3, 1]);
}

#[test]
fn an_equal_or_lower_arrival_is_rejected() {
    let (_script, mut service) = limited(1, 1);
    let _running = call(&mut service, 0, 0);
    let waiting = call(&mut service, 1, 0);
    for priority in [0, -1, i32::MIN] {
        let mut arrival = Task::new(service.call(request(2, priority)));
        let error = arrival.expect_ready().unwrap_err();
        assert_eq!(error.rejection().unwrap().reason(), Reason::QueueFull);
    }
    assert!(!waiting.is_woken());
}

#[test]
fn without_a_line_nobody_is_evicted() {
    let (_script, mut service) = limited(1, 0);
    let running = call(&mut service, 0, i32::MIN);
    let mut urgent = Task::new(service.call(request(1, i32::MAX)));
    let error = urgent.expect_ready().unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::LimitReached);
    assert!(!running.is_woken());
}

#[test]
fn a_weight_comes_from_the_request() {
    let script: Script<Request, u32, &str> = Script::new();
    let layer = PriorityQueueLayer::builder(priority)
        .max_concurrency(8)
        .weight(|request: &Request| request.weight)
        .build()
        .unwrap();
    let mut service = layer.layer(script.service());
    let _call = service.call(Request {
        priority: 0,
        weight: 5,
        id: 0,
    });
    assert_eq!(layer.limiter().snapshot().in_flight, 5);
}

#[test]
fn a_shared_limiter_decides_how_its_line_goes() {
    let script: Script<Request, u32, &str> = Script::new();
    let plain = Limiter::queued(1, 1);
    let mut service = PriorityQueue::with_limiter(
        script.service(),
        plain.clone(),
        priority as fn(&Request) -> i32,
    );
    let _running = call(&mut service, 0, 0);
    let waiting = call(&mut service, 1, 0);
    let mut urgent = Task::new(service.call(request(2, 9)));
    assert!(urgent.expect_ready().is_err());
    assert!(!waiting.is_woken());
    assert!(plain.queued_by_priority().is_empty());
}

#[test]
fn calls_through_a_layer_without_priorities_stand_at_zero() {
    let script: Script<Request, u32, &str> = Script::new();
    let limiter = PriorityQueueLayer::new(1, 1, priority).limiter();
    let mut service = ConcurrencyLimitLayer::from(limiter.clone()).layer(script.service());
    let _held = limiter.try_acquire().unwrap();
    let _waiting = service.call(request(0, 9));
    assert_eq!(limiter.queued_by_priority(), [(0, 1)].into());
}
