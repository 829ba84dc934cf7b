//! Requests, answers and hooks that do something when they are destroyed.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use inflight_test::Task;
use tower::util::ServiceFn;
use tower::{Layer, Service, service_fn};
use tower_inflight::future::ResponseFuture;
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Limiter};

use crate::wreck::{expect, expect_panic, expect_whole, explode};

/// Runs something when it is destroyed.
struct Parting(Option<Box<dyn FnOnce()>>);

impl Parting {
    fn new(words: impl FnOnce() + 'static) -> Self {
        Self(Some(Box::new(words)))
    }
}

impl Drop for Parting {
    fn drop(&mut self) {
        if let Some(words) = self.0.take() {
            words();
        }
    }
}

type Respond = fn(Parting) -> Ready<Result<Parting, Infallible>>;
type Inner = ServiceFn<Respond>;

fn limited(max_concurrency: usize, queue_limit: usize) -> ConcurrencyLimit<Inner> {
    let respond: Respond = |parting| ready(Ok(parting));
    ConcurrencyLimitLayer::queued(max_concurrency, queue_limit).layer(service_fn(respond))
}

#[test]
fn a_request_that_panics_when_it_is_rejected() {
    let mut service = limited(1, 0);
    let limiter = service.limiter();
    let held = limiter.try_acquire().unwrap();
    expect_panic(|| Task::new(service.call(Parting::new(|| explode()))).poll());
    expect(&limiter, 1, 0);
    drop(held);
    expect_whole(&limiter);
}

#[test]
fn a_request_that_panics_when_it_leaves_the_line() {
    let mut service = limited(1, 1);
    let limiter = service.limiter();
    let held = limiter.try_acquire().unwrap();
    let waiting = service.call(Parting::new(|| explode()));
    expect(&limiter, 1, 1);
    expect_panic(|| drop(waiting));
    expect(&limiter, 1, 0);
    drop(held);
    expect_whole(&limiter);
}

#[test]
fn a_request_that_panics_when_its_wait_has_no_happy_end() {
    let mut service = limited(1, 1);
    let limiter = service.limiter();
    let held = limiter.try_acquire().unwrap();
    let mut waiting = Task::new(service.call(Parting::new(|| explode())));
    waiting.expect_pending();
    limiter.close();
    expect_panic(|| waiting.poll());
    expect(&limiter, 1, 0);
    drop((held, waiting));
    expect(&limiter, 0, 0);
}

#[test]
fn an_answer_is_the_caller_s_and_is_destroyed_without_a_permit() {
    let mut service = limited(1, 0);
    let limiter = service.limiter();
    let seen = limiter.clone();
    let answer = Task::new(service.call(Parting::new(move || expect(&seen, 0, 0)))).expect_ready();
    expect(&limiter, 0, 0);
    drop(answer);
    expect_whole(&limiter);
}

/// A request that makes a call when it is destroyed, and keeps what comes of it.
fn caller(service: &ConcurrencyLimit<Inner>) -> (Parting, Rc<RefCell<Vec<Call>>>) {
    let calls = Rc::new(RefCell::new(Vec::new()));
    let parting = Parting::new({
        let (mut service, calls) = (service.clone(), Rc::clone(&calls));
        move || calls.borrow_mut().push(service.call(Parting(None)))
    });
    (parting, calls)
}

type Call = ResponseFuture<Inner, Parting>;

#[test]
fn a_request_may_call_when_it_is_rejected_or_leaves() {
    let mut service = limited(1, 2);
    let limiter = service.limiter();
    let held = limiter.try_acquire().unwrap();
    let (request, calls) = caller(&service);
    let waiting = service.call(request);
    drop(waiting);
    expect(&limiter, 1, 1);

    let (request, more) = caller(&service);
    let second = service.call(request);
    let (request, rejected) = caller(&service);
    drop(service.call(request));
    expect(&limiter, 1, 2);
    assert_eq!(rejected.borrow().len(), 1, "it was rejected as well");

    drop(held);
    expect(&limiter, 1, 1);
    drop(second);
    expect(&limiter, 1, 1);
    for calls in [calls, more, rejected] {
        calls.borrow_mut().clear();
    }
    expect_whole(&limiter);
}

#[test]
fn a_hook_that_is_destroyed_may_use_its_limiter() {
    struct Last(Arc<OnceLock<Limiter>>);

    impl Drop for Last {
        fn drop(&mut self) {
            let limiter = self.0.get().expect("it was set before any call");
            drop(limiter.try_acquire());
            limiter.set_limit(limiter.snapshot().limit).unwrap();
        }
    }

    let known = Arc::new(OnceLock::new());
    let hook = Arc::clone(&known);
    let limiter = Limiter::builder()
        .max_concurrency(1)
        .on_rejected_async(move |_| {
            let last = Last(Arc::clone(&hook));
            async move {
                let _last = last;
                std::future::pending::<()>().await;
            }
        })
        .build()
        .unwrap();
    known.set(limiter.clone()).unwrap();
    drop(limiter.acquire());
    expect_whole_but_hooked(&limiter);

    let held = limiter.try_acquire().unwrap();
    let mut rejected = Task::new(limiter.acquire());
    rejected.expect_pending();
    drop(held);
    drop(rejected);
    expect_whole_but_hooked(&limiter);
}

/// A rejection would start the hook, and that another one, and so on.
#[track_caller]
fn expect_whole_but_hooked(limiter: &Limiter) {
    expect(limiter, 0, 0);
    drop(limiter.try_acquire().unwrap());
}
