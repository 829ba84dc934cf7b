//! A limit that changes at run time, and limits at both ends.

use inflight_test::{Script, ScriptedService, Task};
use tower::{Layer, Service};
use tower_inflight::future::ResponseFuture;
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Limiter, Ticket};

use crate::workshop::expect;

type Inner = ScriptedService<u32, u32, &'static str>;
type Call = Task<ResponseFuture<Inner, u32>>;

struct Busy {
    script: Script<u32, u32, &'static str>,
    service: ConcurrencyLimit<Inner>,
    limiter: Limiter,
    calls: Vec<Call>,
}

impl Busy {
    /// A limiter at which `limit` calls run and `waiting` wait.
    fn new(limit: usize, waiting: usize) -> Self {
        let script = Script::new();
        let service = ConcurrencyLimitLayer::queued(limit, 100).layer(script.service());
        let limiter = service.limiter();
        let mut busy = Self {
            script,
            service,
            limiter,
            calls: Vec::new(),
        };
        (0..limit + waiting).for_each(|_| busy.call());
        busy
    }

    fn call(&mut self) {
        let mut call = Task::new(self.service.call(0));
        call.expect_pending();
        self.calls.push(call);
    }

    /// Ends the oldest that runs, and polls whoever was woken.
    fn end_oldest(&mut self) {
        drop(self.calls.remove(0));
        let woken = self.calls.iter_mut().filter(|call| call.is_woken());
        woken.for_each(Task::expect_pending);
    }

    fn running(&self) -> usize {
        self.script.work().counts().running
    }
}

// F91
#[test]
fn after_the_limit_fell_no_end_starts_anybody_until_it_is_met() {
    let mut busy = Busy::new(2, 5);
    busy.limiter.set_limit(1).unwrap();
    busy.end_oldest();
    assert_eq!(busy.running(), 1);
    expect(&busy.limiter, 1, 5);
    for waiting in (0..5).rev() {
        busy.end_oldest();
        assert_eq!(busy.running(), 1);
        expect(&busy.limiter, 1, waiting);
    }
}

// F93
#[test]
fn a_raise_below_what_runs_starts_nobody() {
    let mut busy = Busy::new(4, 3);
    busy.limiter.set_limit(1).unwrap();
    busy.limiter.set_limit(2).unwrap();
    assert!(busy.calls.iter().all(|call| !call.is_woken()));
    for running in [3, 2, 2] {
        busy.end_oldest();
        assert_eq!(busy.running(), running);
    }
    expect(&busy.limiter, 2, 2);
}

// F95
#[test]
fn a_raise_starts_the_oldest_at_once_and_newcomers_stand_behind() {
    let mut busy = Busy::new(1, 3);
    busy.limiter.set_limit(3).unwrap();
    let woken: Vec<_> = busy.calls.iter().map(Task::is_woken).collect();
    assert_eq!(woken, [false, true, true, false]);
    busy.call();
    assert_eq!(busy.running(), 1, "the woken have yet to be polled");
    busy.end_oldest();
    assert_eq!(busy.running(), 3);
    assert!(!busy.calls[3].is_woken(), "the newcomer is the last");
    expect(&busy.limiter, 3, 1);
}

// F97
#[test]
fn a_limit_that_fell_far_is_met_one_end_at_a_time() {
    let mut busy = Busy::new(5, 10);
    busy.limiter.set_limit(2).unwrap();
    for running in [4, 3, 2, 2, 2] {
        busy.end_oldest();
        assert_eq!(busy.running(), running);
    }
    expect(&busy.limiter, 2, 8);
}

// F99
#[test]
fn limits_at_the_top_work_or_are_refused_when_they_are_built() {
    for refused in [usize::MAX, usize::MAX >> 3, (usize::MAX >> 3) + 1, 1 << 31] {
        let built = Limiter::builder().max_concurrency(refused).build();
        assert_eq!(built.unwrap_err().property(), "max_concurrency");
    }
    let limiter = Limiter::new((1 << 31) - 1);
    let held: Vec<_> = (0..100).map(|_| limiter.try_acquire().unwrap()).collect();
    expect(&limiter, 100, 0);
    let rest = Ticket::new().with_weight((1 << 31) - 101);
    let rest = limiter.try_acquire_with(rest).unwrap();
    assert!(limiter.try_acquire().is_err());
    drop((held, rest));
    expect(&limiter, 0, 0);
}

// F101, F163
#[tokio::test]
async fn a_limit_that_is_set_by_a_task_that_is_aborted_at_once_is_set_or_not() {
    let limiter = Limiter::new(2);
    let held = [(); 2].map(|()| limiter.try_acquire().unwrap());
    for abort_first in [true, false] {
        let before = limiter.snapshot().limit;
        let wanted = limiter.clone();
        let setter = tokio::spawn(async move { wanted.set_limit(1) });
        if !abort_first {
            tokio::task::yield_now().await;
        }
        setter.abort();
        let is_set = setter.await.is_ok();
        let snapshot = limiter.snapshot();
        assert_eq!(snapshot.limit, if is_set { 1 } else { before });
        assert_eq!((snapshot.in_flight, snapshot.available), (2, 0));
        assert_eq!(is_set, !abort_first);
    }
    drop(held);
    let _one = limiter.try_acquire().unwrap();
    assert!(limiter.try_acquire().is_err(), "the limit that is reported");
}
