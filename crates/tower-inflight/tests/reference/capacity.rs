use inflight_test::{Script, Task};
use tower::{BoxError, Layer, Service, ServiceBuilder};
use tower_inflight::{ConcurrencyLimitLayer, Error, Limiter, Reason, Rejection};

use crate::stack::Stack;

// K1
#[test]
fn calls_one_after_the_other_are_each_ready_at_the_first_poll() {
    let mut stack = Stack::new(1, 0);
    stack.script.answer_with(|request| Ok(*request));
    for request in [42, 43] {
        let answer = Task::new(stack.service.call(request)).expect_ready();
        assert_eq!(answer.unwrap(), request);
    }
}

// K2
#[test]
fn what_does_not_fit_is_rejected_until_something_ends() {
    let mut stack = Stack::new(1, 0);
    let mut held = stack.call(1);
    assert_eq!(stack.rejected(2), Reason::LimitReached);
    stack.finish(0, Ok(10));
    assert_eq!(held.expect_ready().unwrap(), 10);

    let mut third = stack.call(3);
    stack.finish(1, Ok(30));
    assert_eq!(third.expect_ready().unwrap(), 30);
}

// K4
#[test]
fn errors_of_the_service_change_no_capacity() {
    let mut stack = Stack::new(1, 0);
    let errors = ["first", "second", "third", "fourth", "fifth"];
    for (job, error) in errors.into_iter().enumerate() {
        stack.finish(job, Err(error));
        let answer = Task::new(stack.service.call(1)).expect_ready();
        assert_eq!(answer.unwrap_err().into_service().unwrap(), error);
    }
    let _held = stack.call(6);
    assert_eq!(stack.rejected(7), Reason::LimitReached);
    stack.expect(1, 0);
}

// K7, K8
#[test]
fn as_many_are_rejected_as_are_above_the_limit_and_the_line() {
    for (max_concurrency, queue_limit, above) in [(2, 3, 4), (3, 5, 7)] {
        let mut stack = Stack::new(max_concurrency, queue_limit);
        let mut running = [(); 3].map(|()| None);
        running[..max_concurrency].fill_with(|| Some(stack.call(1)));
        let mut waiting: Vec<_> = (0..queue_limit).map(|_| stack.call(2)).collect();
        for _ in 0..above {
            assert_eq!(stack.rejected(3), Reason::QueueFull);
        }
        assert_eq!(stack.script.work().counts().started, max_concurrency);

        for (job, call) in running.iter_mut().flatten().enumerate() {
            stack.finish(job, Ok(1));
            call.expect_ready().unwrap();
        }
        for (at, call) in waiting.iter_mut().enumerate() {
            assert!(call.is_woken());
            call.expect_pending();
            stack.finish(max_concurrency + at, Ok(2));
            assert_eq!(call.expect_ready().unwrap(), 2);
        }
        assert_eq!(stack.script.work().counts().peak, max_concurrency);
        stack.expect(0, 0);
    }
}

// K13
#[test]
fn clones_share_one_limit_however_they_are_wrapped() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let script: Script<u32, u32, BoxError> = Script::new();
    let mut plain = layer.layer(script.service());
    let mut renewed = ConcurrencyLimitLayer::from(plain.limiter()).layer(script.service());
    let mut wrapped = ServiceBuilder::new()
        .boxed_clone()
        .map_err(BoxError::from)
        .service(plain.clone());

    let mut running = Task::new(plain.call(1));
    running.expect_pending();
    let mut waiting = Task::new(renewed.call(2));
    waiting.expect_pending();
    let error = Task::new(wrapped.call(3)).expect_ready().unwrap_err();
    let rejection = error.downcast_ref::<Rejection>().unwrap();
    assert_eq!(rejection.reason(), Reason::QueueFull);
    for limiter in [plain.limiter(), renewed.limiter()] {
        let snapshot = limiter.snapshot();
        assert_eq!((snapshot.in_flight, snapshot.queued), (1, 1));
    }
}

// K14
#[test]
fn stacks_of_different_kinds_share_one_limit() {
    let limiter = Limiter::new(1);
    let numbers: Script<u32, u32, &str> = Script::new();
    let words: Script<&str, String, ()> = Script::new();
    let layer = ConcurrencyLimitLayer::from(limiter.clone());
    let mut numbers = layer.layer(numbers.service());
    let mut words = ConcurrencyLimitLayer::from(limiter).layer(words.service());

    let held = numbers.call(1);
    let rejected = Task::new(words.call("two")).expect_ready();
    assert!(matches!(rejected, Err(Error::Rejected(_))));
    drop(held);
    Task::new(words.call("two")).expect_pending();
}

// K22
#[test]
fn what_fails_at_its_first_poll_or_is_dropped_before_leaves_nothing() {
    let mut stack = Stack::new(1, 0);
    stack.finish(0, Err("at once"));
    let answer = Task::new(stack.service.call(1)).expect_ready();
    assert_eq!(answer.unwrap_err().to_string(), "at once");
    stack.expect(0, 0);

    drop(stack.service.call(2));
    stack.expect(0, 0);
    let _held = stack.call(3);
    assert_eq!(stack.rejected(4), Reason::LimitReached);
}

// K25, K26
#[test]
fn an_idle_limiter_shows_its_limit_and_an_empty_line() {
    for (max_concurrency, queue_limit) in [(2, 1), (3, 2), (7, 0)] {
        let limiter = Stack::new(max_concurrency, queue_limit).limiter;
        let snapshot = limiter.snapshot();
        assert_eq!((snapshot.in_flight, snapshot.queued), (0, 0));
        assert_eq!(
            [snapshot.limit, snapshot.max_limit, snapshot.available],
            [max_concurrency; 3]
        );
        assert!(limiter.queued_by_priority().is_empty());
    }
}
