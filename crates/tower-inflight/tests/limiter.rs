//! The handle alone, without a layer.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::task::Poll;
use std::time::Duration;

use inflight_test::{Task, Work};
use tower_inflight::{Limiter, Reason, Ticket};

#[track_caller]
fn expect(limiter: &Limiter, in_flight: usize, queued: usize) {
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.in_flight, snapshot.queued), (in_flight, queued));
}

#[test]
fn a_place_is_taken_when_it_is_asked_for() {
    let limiter = Limiter::queued(1, 1);
    let first = limiter.acquire();
    let second = limiter.acquire();
    expect(&limiter, 1, 1);
    drop(first);
    expect(&limiter, 1, 0);
    drop(second);
    expect(&limiter, 0, 0);
}

#[test]
fn trying_passes_nobody() {
    let limiter = Limiter::queued(2, 1);
    let one = limiter.try_acquire().unwrap();
    let heavy = limiter.acquire_with(Ticket::new().with_weight(2));
    let rejection = limiter.try_acquire().unwrap_err();
    assert_eq!(rejection.reason(), Reason::LimitReached);
    drop(one);
    let permit = Task::new(heavy).expect_ready().unwrap();
    assert_eq!(permit.weight(), 2);
    assert_eq!(permit.limiter().snapshot(), limiter.snapshot());
}

#[test]
fn a_weight_above_the_limit_is_too_heavy() {
    let limiter = Limiter::queued(2, 1);
    let ticket = Ticket::new().with_weight(3);
    let rejection = Task::new(limiter.acquire_with(ticket))
        .expect_ready()
        .unwrap_err();
    assert_eq!(rejection.reason(), Reason::TooHeavy);
    assert_eq!(
        limiter.try_acquire_with(ticket).unwrap_err().reason(),
        Reason::TooHeavy
    );
    assert_eq!(
        limiter.acquire_blocking_with(ticket).unwrap_err().reason(),
        Reason::TooHeavy
    );
}

#[test]
fn a_blocking_caller_stands_in_the_same_line() {
    let limiter = Limiter::queued(1, 2);
    let held = limiter.try_acquire().unwrap();
    let (sender, receiver) = mpsc::channel();
    let blocking = std::thread::spawn({
        let limiter = limiter.clone();
        move || {
            let permit = limiter.acquire_blocking().unwrap();
            sender.send(()).unwrap();
            permit
        }
    });
    while limiter.snapshot().queued < 1 {
        std::thread::yield_now();
    }
    let mut behind = Task::new(limiter.acquire());
    behind.expect_pending();
    assert!(receiver.try_recv().is_err());

    drop(held);
    receiver.recv().unwrap();
    behind.expect_pending();
    drop(blocking.join().unwrap());
    assert!(behind.expect_ready().is_ok());
}

#[test]
fn a_blocking_caller_without_a_runtime_times_out() {
    let limiter = Limiter::builder()
        .max_concurrency(1)
        .queue_limit(1)
        .queue_timeout(Duration::from_millis(1))
        .build()
        .unwrap();
    let _held = limiter.try_acquire().unwrap();
    let rejection = limiter.acquire_blocking().unwrap_err();
    assert_eq!(rejection.reason(), Reason::QueueTimeout);
    assert!(rejection.waited() >= Duration::from_millis(1));
    expect(&limiter, 1, 0);
}

#[test]
fn a_stray_unpark_does_not_end_a_blocking_wait() {
    let limiter = Limiter::queued(1, 1);
    let held = limiter.try_acquire().unwrap();
    let blocking = std::thread::spawn({
        let limiter = limiter.clone();
        move || {
            std::thread::current().unpark();
            limiter.acquire_blocking().map(drop)
        }
    });
    while limiter.snapshot().queued < 1 {
        std::thread::yield_now();
    }
    blocking.thread().unpark();
    assert!(!blocking.is_finished());
    drop(held);
    blocking.join().unwrap().unwrap();
}

#[test]
fn work_runs_with_a_permit_and_gives_it_back_when_it_is_done() {
    let limiter = Limiter::new(1);
    let work = Work::new();
    let mut run = Task::new(limiter.run(work.start()));
    expect(&limiter, 1, 0);
    run.expect_pending();
    work.finish(0, 42);
    assert_eq!(run.expect_ready().unwrap(), 42);
    assert_eq!(
        work.counts().alive,
        0,
        "the work is gone, its future is not"
    );
    expect(&limiter, 0, 0);
}

#[test]
fn work_is_not_polled_before_it_is_admitted() {
    let limiter = Limiter::queued(1, 1);
    let held = limiter.try_acquire().unwrap();
    let work: Work<()> = Work::new();
    let mut run = Task::new(limiter.run(work.start()));
    let mut rejected = Task::new(limiter.run(work.start()));
    run.expect_pending();
    assert_eq!(
        rejected.expect_ready().unwrap_err().reason(),
        Reason::QueueFull
    );
    assert!(work.first_polls().is_empty());
    assert_eq!(work.counts().alive, 1, "rejected work is gone");

    drop(held);
    assert!(run.is_woken());
    run.expect_pending();
    assert_eq!(work.first_polls(), [0]);
}

#[test]
fn work_that_panics_gives_its_permit_back_at_once() {
    let limiter = Limiter::new(1);
    let work: Work<()> = Work::new();
    work.panic_at_poll(0, 1);
    let mut run = Task::new(limiter.run(work.start()));
    assert!(catch_unwind(AssertUnwindSafe(|| run.poll())).is_err());
    expect(&limiter, 0, 0);
    assert!(catch_unwind(AssertUnwindSafe(|| run.poll())).is_err());
}

#[test]
fn work_that_panicked_is_not_polled_without_a_permit() {
    let limiter = Limiter::new(1);
    let polls = Cell::new(0);
    let mut run = Task::new(limiter.run(poll_fn(|_| {
        polls.set(polls.get() + 1);
        assert!(polls.get() > 1, "the first poll fails");
        Poll::Ready(())
    })));
    for _ in 0..2 {
        assert!(catch_unwind(AssertUnwindSafe(|| run.poll())).is_err());
    }
    assert_eq!(polls.get(), 1);
}

#[test]
fn work_is_destroyed_before_its_permit_goes() {
    for finishes in [true, false] {
        let limiter = Limiter::new(1);
        let work = Work::new();
        let (sender, receiver) = mpsc::channel();
        work.on_drop(0, {
            let limiter = limiter.clone();
            move || sender.send(limiter.snapshot().in_flight).unwrap()
        });
        let mut run = Task::new(limiter.run(work.start()));
        run.expect_pending();
        if finishes {
            work.finish(0, ());
            run.expect_ready().unwrap();
        } else {
            drop(run);
        }
        assert_eq!(receiver.try_recv(), Ok(1));
        expect(&limiter, 0, 0);
    }
}

#[test]
fn raising_the_limit_lets_as_many_in_as_fit() {
    let limiter = Limiter::queued(1, 3);
    let _held = limiter.try_acquire().unwrap();
    let mut waiting = [(); 3].map(|()| Task::new(limiter.acquire()));
    waiting.iter_mut().for_each(Task::expect_pending);
    limiter.set_limit(3).unwrap();
    assert_eq!(waiting.each_ref().map(Task::is_woken), [true, true, false]);
    expect(&limiter, 3, 1);
}

#[test]
fn lowering_the_limit_takes_nothing_back() {
    let limiter = Limiter::new(4);
    let mut held: Vec<_> = (0..4).map(|_| limiter.try_acquire().unwrap()).collect();
    limiter.set_limit(2).unwrap();
    let snapshot = limiter.snapshot();
    assert_eq!(
        (snapshot.limit, snapshot.in_flight, snapshot.available),
        (2, 4, 0)
    );
    held.truncate(2);
    assert!(limiter.try_acquire().is_err());
    held.truncate(1);
    assert!(limiter.try_acquire().is_ok());
    assert_eq!(
        limiter.options().fixed().unwrap().max_concurrency,
        4,
        "as it was built"
    );
}

#[test]
fn a_limit_that_cannot_be_is_refused_and_changes_nothing() {
    let limiter = Limiter::new(4);
    let told = |limit| limiter.set_limit(limit).map_err(|error| error.to_string());
    assert_eq!(
        told(0),
        Err("ConcurrencyLimitOptions.max_concurrency must be positive (was 0)".into()),
    );
    assert_eq!(
        told(1 << 31),
        Err(
            "ConcurrencyLimitOptions.max_concurrency must be at most 2147483647 \
             (was 2147483648)"
                .into()
        ),
    );
    assert_eq!(limiter.snapshot().limit, 4);
    assert_eq!(told((1 << 31) - 1), Ok(()));
}

#[test]
fn closing_answers_all_but_those_who_run() {
    let limiter = Limiter::queued(1, 2);
    let held = limiter.try_acquire().unwrap();
    let mut waiting = [(); 2].map(|()| Task::new(limiter.acquire()));
    waiting.iter_mut().for_each(Task::expect_pending);
    assert!(!limiter.is_closed());

    limiter.close();
    assert!(limiter.is_closed());
    for task in &mut waiting {
        assert!(task.is_woken());
        assert_eq!(task.expect_ready().unwrap_err().reason(), Reason::Closed);
    }
    assert_eq!(limiter.try_acquire().unwrap_err().reason(), Reason::Closed);
    assert_eq!(
        limiter.acquire_blocking().unwrap_err().reason(),
        Reason::Closed
    );
    expect(&limiter, 1, 0);
    drop(held);
    expect(&limiter, 0, 0);
}

#[test]
fn drained_waits_for_all_that_runs_and_waits() {
    let limiter = Limiter::queued(1, 1);
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(limiter.acquire());
    let mut drained = Task::new(limiter.drained());
    drained.expect_pending();

    drop(held);
    let permit = waiting.expect_ready().unwrap();
    drained.expect_pending();
    drop(permit);
    assert!(drained.is_woken());
    drained.expect_ready();
    assert!(!limiter.is_closed());
    Task::new(limiter.drained()).expect_ready();
}

#[test]
fn priorities_order_the_line_if_so_built() {
    let tickets = [0, 5, -5].map(|priority| Ticket::new().with_priority(priority));
    for by_priority in [true, false] {
        let limiter = Limiter::builder()
            .max_concurrency(1)
            .queue_limit(3)
            .use_priority_queue(by_priority)
            .build()
            .unwrap();
        let held = limiter.try_acquire().unwrap();
        let [mut normal, mut high, _low] =
            tickets.map(|ticket| Task::new(limiter.acquire_with(ticket)));
        let expected = if by_priority {
            BTreeMap::from([(-5, 1), (0, 1), (5, 1)])
        } else {
            BTreeMap::new()
        };
        assert_eq!(limiter.queued_by_priority(), expected);
        drop(held);
        let first = if by_priority { &mut high } else { &mut normal };
        assert!(first.expect_ready().is_ok());
    }
}
