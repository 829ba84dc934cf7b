//! However a call ends, its permit comes back, once and at the right moment.

use std::cell::Cell;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};

use inflight_test::{Script, ScriptedService, Task};
use tower::{Layer, Service, service_fn};
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Limiter, PriorityQueueLayer};

type Inner = ScriptedService<u32, u32, &'static str>;

struct Setup {
    script: Script<u32, u32, &'static str>,
    service: ConcurrencyLimit<Inner>,
    limiter: Limiter,
}

fn setup(max_concurrency: usize, queue_limit: usize) -> Setup {
    let script = Script::new();
    let service =
        ConcurrencyLimitLayer::queued(max_concurrency, queue_limit).layer(script.service());
    let limiter = service.limiter();
    Setup {
        script,
        service,
        limiter,
    }
}

impl Setup {
    #[track_caller]
    fn expect(&self, in_flight: usize, queued: usize) {
        let snapshot = self.limiter.snapshot();
        assert_eq!((snapshot.in_flight, snapshot.queued), (in_flight, queued));
    }

    /// Has the number in flight at the moment that a job is destroyed.
    fn in_flight_at_drop_of(&self, job: usize) -> mpsc::Receiver<usize> {
        let (sender, receiver) = mpsc::channel();
        let limiter = self.limiter.clone();
        self.script.work().on_drop(job, move || {
            let _ = sender.send(limiter.snapshot().in_flight);
        });
        receiver
    }
}

#[track_caller]
fn expect_panic<T>(action: impl FnOnce() -> T) {
    assert!(
        catch_unwind(AssertUnwindSafe(action)).is_err(),
        "it has to panic"
    );
}

#[test]
fn a_response_gives_it_back_although_its_future_lives_on() {
    let mut setup = setup(1, 0);
    let mut call = Task::new(setup.service.call(1));
    call.expect_pending();
    setup.script.work().finish(0, Ok(2));
    assert_eq!(call.expect_ready().unwrap(), 2);
    setup.expect(0, 0);
    drop(call);
    setup.expect(0, 0);
}

#[test]
fn an_error_gives_it_back() {
    let mut setup = setup(1, 0);
    let mut call = Task::new(setup.service.call(1));
    setup.script.work().finish(0, Err("failed"));
    assert_eq!(
        call.expect_ready().unwrap_err().into_service().unwrap(),
        "failed"
    );
    setup.expect(0, 0);
}

#[test]
fn a_finished_work_is_destroyed_before_the_permit_goes() {
    let mut setup = setup(1, 0);
    let in_flight = setup.in_flight_at_drop_of(0);
    setup.script.work().finish(0, Ok(2));
    let mut call = Task::new(setup.service.call(1));
    call.expect_ready().unwrap();
    assert_eq!(
        in_flight.try_recv(),
        Ok(1),
        "destroyed at the end of the work"
    );
}

#[test]
fn a_cancelled_work_is_destroyed_before_the_permit_goes() {
    let mut setup = setup(1, 0);
    let in_flight = setup.in_flight_at_drop_of(0);
    let mut call = Task::new(setup.service.call(1));
    call.expect_pending();
    drop(call);
    assert_eq!(in_flight.try_recv(), Ok(1));
    setup.expect(0, 0);
}

#[test]
fn a_drop_before_the_first_poll_gives_it_back() {
    let mut setup = setup(1, 0);
    drop(setup.service.call(1));
    setup.expect(0, 0);
}

#[test]
fn a_drop_while_the_service_is_made_ready_gives_it_back() {
    let mut setup = setup(1, 0);
    setup.script.set_ready_at_once(0);
    let mut call = Task::new(setup.service.call(1));
    call.expect_pending();
    setup.expect(1, 0);
    drop(call);
    setup.expect(0, 0);
    assert_eq!(setup.script.readiness_counts().waiting, 0);
}

#[test]
fn a_drop_in_the_line_frees_the_place() {
    let mut setup = setup(1, 1);
    let _running = setup.service.call(1);
    let mut waiting = Task::new(setup.service.call(2));
    waiting.expect_pending();
    setup.expect(1, 1);
    drop(waiting);
    setup.expect(1, 0);

    let mut next = Task::new(setup.service.call(3));
    next.expect_pending();
    setup.expect(1, 1);
}

#[test]
fn a_drop_of_an_unpolled_grant_passes_it_on() {
    let mut setup = setup(1, 2);
    let running = setup.service.call(1);
    let mut granted = Task::new(setup.service.call(2));
    let mut next = Task::new(setup.service.call(3));
    granted.expect_pending();
    next.expect_pending();

    drop(running);
    assert!(granted.is_woken() && !next.is_woken());
    setup.expect(1, 1);
    drop(granted);
    assert!(next.is_woken());
    setup.expect(1, 0);
    next.expect_pending();
    assert_eq!(setup.script.requests(), [3]);
}

#[test]
fn a_rejection_gives_nothing_back() {
    let mut setup = setup(1, 0);
    let _running = setup.service.call(1);
    drop(setup.service.call(2));
    let mut rejected = Task::new(setup.service.call(3));
    rejected.expect_ready().unwrap_err();
    drop(rejected);
    setup.expect(1, 0);
}

#[test]
fn a_panic_in_call_gives_it_back() {
    let mut setup = setup(1, 0);
    setup.script.work().panic_at_start(0);
    let mut service = setup.service.clone();
    make_ready(&mut service);
    expect_panic(|| service.call(1));
    setup.expect(0, 0);

    let mut call = Task::new(setup.service.call(2));
    call.expect_pending();
    setup.expect(1, 0);
}

#[test]
fn a_panic_in_a_later_call_gives_it_back_at_once() {
    let mut setup = setup(1, 0);
    setup.script.work().panic_at_start(0);
    let mut call = Task::new(setup.service.call(1));
    setup.expect(1, 0);
    expect_panic(|| call.poll());
    setup.expect(0, 0);
}

#[test]
fn a_panic_in_the_work_gives_it_back_before_anybody_drops_it() {
    let mut setup = setup(1, 1);
    setup.script.work().panic_at_poll(0, 2);
    let mut call = Task::new(setup.service.call(1));
    let mut next = Task::new(setup.service.call(2));
    call.expect_pending();
    next.expect_pending();

    expect_panic(|| call.poll());
    assert!(next.is_woken());
    setup.expect(1, 0);
    next.expect_pending();
    drop(call);
    setup.expect(1, 0);
}

#[test]
fn a_panic_of_readiness_after_the_admission_gives_it_back() {
    let mut setup = setup(1, 0);
    setup.script.panic_in_readiness();
    let mut call = Task::new(setup.service.call(1));
    expect_panic(|| call.poll());
    setup.expect(0, 0);
}

#[test]
fn after_a_panic_nothing_runs_without_a_permit() {
    let mut setup = setup(2, 0);
    setup.script.work().panic_at_poll(0, 1);
    let mut worked = Task::new(setup.service.call(1));
    expect_panic(|| worked.poll());
    setup.script.panic_in_readiness();
    let mut readied = Task::new(setup.service.call(2));
    expect_panic(|| readied.poll());

    expect_panic(|| worked.poll());
    expect_panic(|| readied.poll());
    assert_eq!(setup.script.work().counts().started, 1);
    setup.expect(0, 0);
}

#[test]
fn after_a_panic_the_work_is_not_polled_without_a_permit() {
    let polls = Cell::new(0);
    let inner = service_fn(|(): ()| {
        poll_fn(|_| {
            polls.set(polls.get() + 1);
            assert!(polls.get() > 1, "the first poll fails");
            Poll::Ready(Ok::<_, &str>(()))
        })
    });
    let mut service = ConcurrencyLimit::new(inner, 1);
    let mut call = Task::new(service.call(()));
    expect_panic(|| call.poll());
    expect_panic(|| call.poll());
    assert_eq!(polls.get(), 1);
}

/// A request that notes how much is in flight when it is destroyed.
struct Witness(Limiter, mpsc::Sender<usize>);

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.1.send(self.0.snapshot().in_flight);
    }
}

#[test]
fn a_request_that_never_ran_is_destroyed_before_the_permit_goes() {
    for fails in [true, false] {
        let script: Script<Witness, (), &str> = Script::new();
        script.set_ready_at_once(0);
        let layer = ConcurrencyLimitLayer::new(1);
        let (sender, receiver) = mpsc::channel();
        let mut service = layer.layer(script.service());
        let mut call = Task::new(service.call(Witness(layer.limiter(), sender)));
        call.expect_pending();
        if fails {
            script.fail_readiness("broken");
            assert!(call.expect_ready().is_err());
        } else {
            drop(call);
        }
        assert_eq!(receiver.try_recv(), Ok(1));
        assert_eq!(layer.limiter().snapshot().in_flight, 0);
    }
}

#[test]
fn a_panic_of_a_closure_loses_nothing() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = PriorityQueueLayer::new(1, 1, |request: &u32| {
        assert_ne!(*request, 13, "bad luck");
        0
    });
    let layer = layer.with_weight(|request: &u32| {
        assert_ne!(*request, 7, "heavy luck");
        1
    });
    let mut service = layer.layer(script.service());
    expect_panic(|| service.call(13));
    expect_panic(|| service.call(7));
    assert_eq!(service.limiter().snapshot().in_flight, 0);
    Task::new(service.call(1)).expect_pending();
}

#[test]
fn a_weight_comes_back_whole() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::queued(8, 4).with_weight(|request: &u32| *request);
    let mut service = layer.layer(script.service());
    let limiter = service.limiter();
    let heavy = service.call(5);
    let light = service.call(0);
    assert_eq!(limiter.snapshot().in_flight, 6, "0 counts as 1");

    let mut head = Task::new(service.call(7));
    let mut behind = Task::new(service.call(1));
    head.expect_pending();
    behind.expect_pending();
    drop(heavy);
    assert_eq!(limiter.snapshot().queued, 1, "the head fits, and fills it");
    drop(light);
    assert_eq!(limiter.snapshot().queued, 0);
    assert_eq!(limiter.snapshot().in_flight, 8);
    drop((head, behind));
    assert_eq!(limiter.snapshot().in_flight, 0);
}

fn make_ready(service: &mut ConcurrencyLimit<Inner>) {
    let mut cx = Context::from_waker(Waker::noop());
    assert!(service.poll_ready(&mut cx).is_ready());
}
