//! The subjects do what they are said to do, ours and everybody else's.

use std::task::Poll;

use inflight_benches::calls::call;
use inflight_benches::cancellation::{Leaving, dropped, renewed};
use inflight_benches::line::Line;
use inflight_benches::ours::{concurrency_limit, gate, limiter, priority_queue};
use inflight_benches::peers::{
    bulkhead, floor, global, little_loadshedder, load_shed, priority_semaphore, semaphore, stock,
    tower_acc,
};
use inflight_benches::{Priorities, Subject, eviction, hand_over};
use tower_inflight::Reason;

/// The subjects check each step of a line themselves.
#[track_caller]
fn runs(mut subject: Subject) {
    for times in [1, 250, 3] {
        subject.run(times);
    }
}

macro_rules! admits {
    ($($service:expr),* $(,)?) => {$(
        let mut service = $service;
        for _ in 0..3 {
            let answer = call(&mut service);
            assert!(matches!(answer, Poll::Ready(Ok(_))), stringify!($service));
        }
    )*};
}

#[test]
fn whoever_has_room_for_one_answers_one_call_after_the_other() {
    admits!(
        concurrency_limit::service(1),
        priority_queue::service(1),
        floor::service(1),
        stock::service(1),
        global::service(1),
        load_shed::service(1),
        bulkhead::service(1),
        bulkhead::backpressure(1),
        tower_acc::service(),
        little_loadshedder::service(),
    );
}

#[test]
fn whoever_has_no_room_says_so_each_time() {
    let (mut shed, _held) = load_shed::full(3);
    let (mut little, _held) = little_loadshedder::full();
    let mut floor = floor::full();
    for _ in 0..3 {
        assert!(matches!(call(&mut floor), Poll::Ready(Err(_))));
        assert!(matches!(call(&mut shed), Poll::Ready(result) if load_shed::is_shed(&result)));
        assert!(
            matches!(call(&mut little), Poll::Ready(result) if little_loadshedder::is_shed(&result))
        );
    }
}

#[test]
fn ours_says_why_there_is_no_room() {
    let (mut no_line, _held) = concurrency_limit::full(0);
    let (mut line, _held) = concurrency_limit::full(3);
    let (mut deadlines, _held) = concurrency_limit::full_with_deadlines(3);
    let (mut by_priority, _held) = priority_queue::full(3);
    for _ in 0..3 {
        assert_eq!(reason(call(&mut no_line)), Reason::LimitReached);
        assert_eq!(reason(call(&mut line)), Reason::QueueFull);
        assert_eq!(reason(call(&mut deadlines)), Reason::QueueFull);
        assert_eq!(reason(call(&mut by_priority)), Reason::QueueFull);
    }
}

#[track_caller]
fn reason(answer: Poll<Result<u64, tower_inflight::Error<std::convert::Infallible>>>) -> Reason {
    let Poll::Ready(result) = answer else {
        panic!("a rejection is told at once");
    };
    let facts = concurrency_limit::facts(&result);
    let (reason, [limit, ..], ..) = facts.expect("there is no room");
    assert_eq!(limit, 1);
    reason
}

#[track_caller]
fn serves_everyone<L: Line>(line: fn() -> L) {
    runs(hand_over::steady(line(), 2, Priorities::One));
    runs(hand_over::steady(line(), 100, Priorities::One));
    runs(dropped(line(), 100, Leaving::InOrder));
    runs(dropped(line(), 100, Leaving::Shuffled));
    runs(renewed(line(), 100));
}

#[test]
fn a_line_serves_everyone_in_turn_and_can_be_left() {
    serves_everyone(concurrency_limit::line);
    serves_everyone(limiter::line);
    serves_everyone(stock::line);
    serves_everyone(bulkhead::line);
    serves_everyone(tower_acc::line);
    serves_everyone(semaphore::line);
    serves_everyone(floor::line);
}

#[test]
fn a_line_by_priority_serves_the_oldest_of_the_highest() {
    for priorities in Priorities::ALL {
        runs(hand_over::steady(
            priority_queue::line(100),
            100,
            priorities,
        ));
        runs(hand_over::steady(limiter::priority_line(), 100, priorities));
        runs(hand_over::steady(
            priority_semaphore::line(),
            100,
            priorities,
        ));
    }
}

#[test]
fn a_full_line_evicts_the_newest_of_the_lowest() {
    for priorities in [Priorities::Ten, Priorities::Distinct] {
        runs(eviction::steady(priority_queue::line(100), 100, priorities));
        runs(eviction::by_hand(
            priority_semaphore::line(),
            100,
            priorities,
        ));
    }
}

#[test]
fn a_caller_reaches_its_deadline_in_the_line() {
    runs(gate::expiring(1));
    runs(gate::expiring(100));
}
