//! The service panics in whatever of it is called.

use std::cell::Cell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use inflight_test::Task;
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Limiter, PriorityQueueLayer};

use crate::wreck::{expect, expect_panic, expect_whole, explode};

/// Where the next panic is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Where {
    Nowhere,
    Readiness,
    Call,
    Clone,
    Drop,
}

/// A service that panics once, at the next chance it has there.
struct Mine {
    next: Rc<Cell<Where>>,
    is_ready: bool,
}

impl Mine {
    fn step_on(&self, here: Where) {
        if self.next.get() == here {
            self.next.set(Where::Nowhere);
            explode();
        }
    }
}

impl Clone for Mine {
    fn clone(&self) -> Self {
        self.step_on(Where::Clone);
        Self {
            next: Rc::clone(&self.next),
            is_ready: false,
        }
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.step_on(Where::Drop);
        }
    }
}

impl Service<u32> for Mine {
    type Response = u32;
    type Error = &'static str;
    type Future = Ready<Result<u32, &'static str>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), &'static str>> {
        self.step_on(Where::Readiness);
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: u32) -> Self::Future {
        assert!(self.is_ready, "it was called without having been asked");
        self.is_ready = false;
        self.step_on(Where::Call);
        ready(Ok(request))
    }
}

struct Setup {
    next: Rc<Cell<Where>>,
    service: ConcurrencyLimit<Mine>,
    limiter: Limiter,
}

fn setup(queue_limit: usize) -> Setup {
    let next = Rc::new(Cell::new(Where::Nowhere));
    let mine = Mine {
        next: Rc::clone(&next),
        is_ready: false,
    };
    let service = ConcurrencyLimitLayer::queued(1, queue_limit).layer(mine);
    let limiter = service.limiter();
    Setup {
        next,
        service,
        limiter,
    }
}

impl Setup {
    fn make_ready(&mut self) {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(self.service.poll_ready(&mut cx).is_ready());
    }

    /// The service can be used as if nothing had happened.
    #[track_caller]
    fn expect_usable(&mut self) {
        assert_eq!(self.next.get(), Where::Nowhere, "it has panicked");
        for request in [1, 2] {
            let answer = Task::new(self.service.call(request)).expect_ready();
            assert_eq!(answer.unwrap(), request);
            self.make_ready();
        }
        expect_whole(&self.limiter);
    }
}

#[test]
fn a_panic_in_readiness_before_the_call() {
    let mut setup = setup(0);
    setup.next.set(Where::Readiness);
    expect_panic(|| setup.make_ready());
    setup.expect_usable();
}

#[test]
fn a_panic_in_readiness_after_the_admission() {
    let mut setup = setup(0);
    setup.next.set(Where::Readiness);
    let mut call = Task::new(setup.service.call(1));
    expect_panic(|| call.poll());
    expect(&setup.limiter, 0, 0);
    setup.expect_usable();
}

#[test]
fn a_panic_in_a_call_that_is_ready() {
    let mut setup = setup(0);
    setup.make_ready();
    setup.next.set(Where::Call);
    expect_panic(|| setup.service.call(1));
    setup.expect_usable();
}

#[test]
fn a_panic_in_a_call_after_the_wait() {
    let mut setup = setup(1);
    let held = setup.limiter.try_acquire().unwrap();
    let mut call = Task::new(setup.service.call(1));
    call.expect_pending();
    setup.next.set(Where::Call);
    drop(held);
    expect_panic(|| call.poll());
    expect(&setup.limiter, 0, 0);
    setup.expect_usable();
}

#[test]
fn a_panic_as_the_service_is_cloned_for_an_admitted_call() {
    let mut setup = setup(0);
    setup.next.set(Where::Clone);
    expect_panic(|| setup.service.call(1));
    setup.expect_usable();
}

#[test]
fn a_panic_as_the_service_is_cloned_for_a_call_that_waits() {
    let mut setup = setup(1);
    let held = setup.limiter.try_acquire().unwrap();
    setup.next.set(Where::Clone);
    expect_panic(|| setup.service.call(1));
    expect(&setup.limiter, 1, 0);
    drop(held);
    setup.expect_usable();
}

/// What was reserved is let go by a clone, which may panic, and by a drop,
/// which may panic too: neither may leave a service that is taken for ready.
#[test]
fn a_panic_as_a_ready_service_is_replaced() {
    for queue_limit in [0, 1] {
        for place in [Where::Clone, Where::Drop] {
            let mut setup = setup(queue_limit);
            setup.make_ready();
            let held = setup.limiter.try_acquire().unwrap();
            setup.next.set(place);
            expect_panic(|| setup.service.call(1));
            expect(&setup.limiter, 1, 0);
            drop(held);
            setup.expect_usable();
        }
    }
}

#[test]
fn a_panic_as_the_service_of_a_waiting_call_is_dropped() {
    let mut setup = setup(1);
    let held = setup.limiter.try_acquire().unwrap();
    let call = setup.service.call(1);
    expect(&setup.limiter, 1, 1);
    setup.next.set(Where::Drop);
    expect_panic(|| drop(call));
    expect(&setup.limiter, 1, 0);
    drop(held);
    setup.expect_usable();
}

#[test]
fn a_panic_as_the_service_of_an_admitted_call_is_dropped() {
    let mut setup = setup(0);
    let call = setup.service.call(1);
    expect(&setup.limiter, 1, 0);
    setup.next.set(Where::Drop);
    expect_panic(|| drop(call));
    setup.expect_usable();
}

#[test]
fn a_panic_as_the_service_is_dropped_after_its_call_has_begun() {
    let mut setup = setup(0);
    let mut call = Task::new(setup.service.call(1));
    setup.next.set(Where::Drop);
    expect_panic(|| call.poll());
    expect(&setup.limiter, 0, 0);
    setup.expect_usable();
}

#[test]
fn a_panic_in_the_closures_of_a_layer() {
    let layer = PriorityQueueLayer::new(1, 1, |request: &u32| match request {
        1 => explode(),
        _ => 0,
    })
    .with_weight(|request: &u32| match request {
        2 => explode(),
        _ => 1,
    });
    let limiter = layer.limiter();
    let next = Rc::new(Cell::new(Where::Nowhere));
    let mut service = layer.layer(Mine {
        next,
        is_ready: false,
    });
    for held in [true, false] {
        let held = held.then(|| limiter.try_acquire().unwrap());
        expect_panic(|| service.call(1));
        expect_panic(|| service.call(2));
        expect(&limiter, usize::from(held.is_some()), 0);
    }
    assert_eq!(Task::new(service.call(3)).expect_ready().unwrap(), 3);
    expect_whole(&limiter);
}
