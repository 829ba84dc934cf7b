use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::thread;

use tower_inflight::Reason;

use crate::stack::Stack;

// K5
#[test]
fn a_place_that_was_left_serves_the_next() {
    let mut stack = Stack::new(1, 1);
    let mut running = stack.call(1);
    let leaving = stack.call(2);
    assert_eq!(stack.rejected(3), Reason::QueueFull);
    drop(leaving);

    let mut next = stack.call(4);
    stack.expect(1, 1);
    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();
    next.expect_pending();
    stack.finish(1, Ok(4));
    assert_eq!(next.expect_ready().unwrap(), 4);
    assert_eq!(stack.script.requests(), [1, 4]);
}

// K10
#[test]
fn work_that_has_waited_and_is_cancelled_leaves_nothing() {
    let mut stack = Stack::new(1, 1);
    let mut running = stack.call(1);
    let mut second = stack.call(2);
    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();
    second.expect_pending();
    assert_eq!(stack.script.requests(), [1, 2], "it has started");

    drop(second);
    assert_eq!(stack.script.work().counts().dropped, 1);
    stack.expect_capacity_of_one_and_one();
}

// K11
#[test]
fn a_release_and_a_cancellation_at_once_leave_the_whole_capacity() {
    let mut stack = Stack::new(1, 1);
    for _ in 0..1_000 {
        let running = stack.call(1);
        let mut waiting = stack.call(2);
        let both = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                both.wait();
                drop(running);
            });
            both.wait();
            // Pending either way: it waits, or it runs.
            waiting.expect_pending();
            drop(waiting);
        });
        stack.expect_capacity_of_one_and_one();
    }
}

// K19
#[test]
fn a_newcomer_does_not_start_before_one_who_was_granted_and_not_polled() {
    let mut stack = Stack::new(1, 2);
    let mut running = stack.call(1);
    let mut granted = stack.call(2);
    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();

    let mut newcomer = stack.call(3);
    assert_eq!(stack.script.requests(), [1]);
    granted.expect_pending();
    newcomer.expect_pending();
    assert_eq!(stack.script.requests(), [1, 2]);
}

// K20
#[test]
fn a_grant_that_is_dropped_unpolled_starts_the_next() {
    let mut stack = Stack::new(1, 1);
    let mut running = stack.call(1);
    let granted = stack.call(2);
    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();
    assert!(granted.is_woken());
    let mut queued = stack.call(3);

    drop(granted);
    assert!(queued.is_woken());
    queued.expect_pending();
    assert_eq!(stack.script.requests(), [1, 3]);
    drop(queued);
    stack.expect_capacity_of_one_and_one();
}

#[test]
fn a_grant_that_panics_as_it_starts_starts_the_next() {
    let mut stack = Stack::new(1, 2);
    let mut running = stack.call(1);
    let mut granted = stack.call(2);
    let mut next = stack.call(3);
    stack.script.work().panic_at_start(1);
    stack.finish(0, Ok(1));
    running.expect_ready().unwrap();

    let panic = catch_unwind(AssertUnwindSafe(|| granted.poll()));
    assert!(panic.is_err());
    assert!(next.is_woken());
    next.expect_pending();
    assert_eq!(stack.script.requests(), [1, 2, 3]);
    stack.expect(1, 0);
}
