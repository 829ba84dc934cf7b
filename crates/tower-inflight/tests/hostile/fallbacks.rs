//! Fallbacks that are dropped anywhere, panic anywhere, and are called from
//! where nobody expects it.

use std::cell::Cell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task, Work, count_allocations, poll_once};
use tower::{Layer, Service, service_fn};
use tower_inflight::builder::ConcurrencyLimitBuilder;
use tower_inflight::{ConcurrencyLimitLayer, Fallback, Limiter, PriorityQueueLayer, Rejected};

use crate::wreck::{expect, expect_panic, expect_whole, explode};

type Answer = Result<u32, &'static str>;
type Scripted<Request> = ScriptedService<Request, u32, &'static str>;

fn one(queue_limit: usize) -> ConcurrencyLimitBuilder {
    ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(queue_limit)
}

/// A service that is never called, since somebody else has the permit.
fn unreachable(_: u32) -> Ready<Answer> {
    unreachable!("there is no room")
}

/// What a fallback of scripted calls is made of.
#[derive(Clone)]
struct Standing(Scripted<u32>);

impl Service<Rejected<u32>> for Standing {
    type Response = u32;
    type Error = &'static str;
    type Future = <Scripted<u32> as Service<u32>>::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), &'static str>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, rejected: Rejected<u32>) -> Self::Future {
        self.0.call(rejected.request)
    }
}

// F5
#[tokio::test(start_paused = true)]
async fn nothing_is_lost_wherever_a_call_with_a_fallback_is_dropped() {
    for polls in 0..=20 {
        for queue_limit in [0, 1] {
            for ready in [0, 1] {
                let stand_in: Script<u32, u32, &str> = Script::new();
                stand_in.set_ready_at_once(ready);
                let hook = Work::new();
                let told = hook.clone();
                let layer = one(queue_limit)
                    .queue_timeout(Duration::from_secs(1))
                    .on_rejected_async(move |_| told.start())
                    .build()
                    .unwrap();
                let limiter = layer.limiter();
                let held = limiter.try_acquire().unwrap();
                let mut service = layer
                    .fallback(Standing(stand_in.service()))
                    .layer(service_fn(unreachable));
                let mut call = Task::new(service.call(1));
                for poll in 0..polls {
                    match poll {
                        3 if queue_limit > 0 => tokio::time::advance(Duration::from_secs(1)).await,
                        6 => hook.finish(0, ()),
                        9 => stand_in.set_ready_at_once(1),
                        12 => stand_in.work().finish(0, Ok(7)),
                        _ => (),
                    }
                    if let Poll::Ready(answer) = call.poll() {
                        assert_eq!((poll, answer.unwrap()), (12, 7));
                        break;
                    }
                }
                drop(call);
                assert_eq!(hook.counts().alive, 0);
                assert_eq!(stand_in.work().counts().alive, 0);
                let counts = stand_in.readiness_counts();
                assert_eq!((counts.reserved, counts.waiting), (0, 0));
                expect(&limiter, 1, 0);
                drop(held);
                // The hook of that rejection would have to be awaited.
                expect(&limiter, 0, 0);
            }
        }
    }
}

/// Where the next panic is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Where {
    Clone,
    Readiness,
    Call,
    Poll,
    Drop,
    DropOfCall,
}

#[derive(Debug, Default)]
struct Mine(Rc<Cell<Option<Where>>>);

impl Mine {
    fn step_on(&self, here: Where) {
        if !std::thread::panicking() && self.0.get() == Some(here) {
            self.0.set(None);
            explode();
        }
    }

    fn share(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl Clone for Mine {
    fn clone(&self) -> Self {
        self.step_on(Where::Clone);
        self.share()
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        self.step_on(Where::Drop);
    }
}

impl Service<Rejected<u32>> for Mine {
    type Response = u32;
    type Error = &'static str;
    type Future = Step;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), &'static str>> {
        self.step_on(Where::Readiness);
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Rejected<u32>) -> Step {
        self.step_on(Where::Call);
        Step(Rc::clone(&self.0))
    }
}

/// A call of a [`Mine`].
struct Step(Rc<Cell<Option<Where>>>);

impl Future for Step {
    type Output = Answer;

    fn poll(self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Answer> {
        let mine = Mine(Rc::clone(&self.0));
        mine.step_on(Where::Poll);
        Poll::Ready(Ok(7))
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        let mine = Mine(Rc::clone(&self.0));
        mine.step_on(Where::DropOfCall);
    }
}

type Mined = Fallback<
    tower_inflight::ConcurrencyLimit<tower::util::ServiceFn<fn(u32) -> Ready<Answer>>>,
    Mine,
>;

fn mined(queue_limit: usize) -> (Mined, Mine, Limiter) {
    let layer = ConcurrencyLimitLayer::queued(1, queue_limit);
    let limiter = layer.limiter();
    let mine = Mine::default();
    let answer: fn(u32) -> Ready<Answer> = |_| ready(Ok(1));
    let service = layer.fallback(mine.share()).layer(service_fn(answer));
    (service, mine, limiter)
}

#[test]
fn a_fallback_that_panics_anywhere_costs_the_limiter_nothing() {
    for queue_limit in [0, 1] {
        for place in [
            Where::Clone,
            Where::Readiness,
            Where::Call,
            Where::Poll,
            Where::Drop,
            Where::DropOfCall,
        ] {
            let (mut service, mine, limiter) = mined(queue_limit);
            let held = limiter.try_acquire().unwrap();
            mine.0.set(Some(place));
            expect_panic(|| {
                let mut call = Task::new(service.call(1));
                while call.poll().is_pending() {
                    expect(&limiter, 1, 1);
                    limiter.close();
                }
            });
            assert_eq!(mine.0.get(), None, "{place:?}");
            expect(&limiter, 1, 0);
            drop(held);
            expect(&limiter, 0, 0);
        }
    }
}

/// The fallback goes as the call is admitted, and has a permit in its hands.
#[test]
fn a_fallback_that_panics_as_it_is_not_needed_passes_the_permit_on() {
    let (mut service, mine, limiter) = mined(2);
    let held = limiter.try_acquire().unwrap();
    let mut first = Task::new(service.call(1));
    let mut second = Task::new(service.call(2));
    first.expect_pending();
    second.expect_pending();
    drop(held);
    mine.0.set(Some(Where::Drop));
    expect_panic(|| first.poll());
    assert!(second.is_woken());
    assert_eq!(second.expect_ready().unwrap(), 1);
    expect_whole(&limiter);
}

#[test]
fn a_hook_may_call_the_service_whose_rejection_it_is_told_of() {
    type Called = Arc<Mutex<Vec<u32>>>;

    let called = Called::default();
    let limiter: Arc<std::sync::OnceLock<Limiter>> = Arc::default();
    let stale = |called: &Called| {
        let called = Arc::clone(called);
        service_fn(move |rejected: Rejected<u32>| {
            called.lock().unwrap().push(rejected.request);
            ready(Answer::Ok(0))
        })
    };
    let (known, inside) = (Arc::clone(&limiter), stale(&called));
    let layer = one(0)
        .on_rejected(move |_| {
            let (limiter, fallback) = (known.get().unwrap().clone(), inside.clone());
            let depth = DEPTH.get();
            if depth < 5 {
                DEPTH.set(depth + 1);
                let layer = ConcurrencyLimitLayer::from(limiter).fallback(fallback);
                let mut service = layer.layer(service_fn(unreachable));
                let answer = Task::new(service.call(depth)).expect_ready();
                assert_eq!(answer.unwrap(), 0);
            }
        })
        .build()
        .unwrap();
    limiter.set(layer.limiter()).unwrap();
    let limiter = layer.limiter();
    let held = limiter.try_acquire().unwrap();
    let mut service = layer
        .fallback(stale(&called))
        .layer(service_fn(unreachable));
    let answer = Task::new(service.call(100)).expect_ready();
    assert_eq!(answer.unwrap(), 0);
    assert_eq!(*called.lock().unwrap(), [4, 3, 2, 1, 0, 100]);
    assert_eq!(limiter.hook_failures(), 0);
    expect(&limiter, 1, 0);
    drop(held);
    expect(&limiter, 0, 0);
}

thread_local! {
    /// How often the hook has called its service.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// One that goes through the same limiter again is turned away again: nothing
/// waits for itself.
#[test]
fn a_fallback_may_go_through_the_same_limiter() {
    for queue_limit in [0, 1] {
        let limiter = Limiter::queued(1, queue_limit);
        let stale = service_fn(|rejected: Rejected<u32>| ready(Answer::Ok(rejected.request)));
        let again = ConcurrencyLimitLayer::from(limiter.clone())
            .fallback(stale)
            .layer(service_fn(unreachable));
        let mut service = ConcurrencyLimitLayer::from(limiter.clone())
            .fallback(service_fn(move |rejected: Rejected<u32>| {
                let mut again = again.clone();
                async move { again.call(rejected.request).await.map_err(|_| "rejected") }
            }))
            .layer(service_fn(unreachable));
        let held = limiter.try_acquire().unwrap();
        let mut calls: Vec<_> = (0..=queue_limit)
            .map(|call| Task::new(service.call(u32::try_from(call).unwrap())))
            .collect();
        let mut overflow = calls.pop().unwrap();
        let overflowed = overflow.expect_ready();
        assert_eq!(overflowed.unwrap(), u32::try_from(queue_limit).unwrap());
        expect(&limiter, 1, queue_limit);
        limiter.close();
        for (call, mut task) in (0..).zip(calls) {
            assert_eq!(task.expect_ready().unwrap(), call);
        }
        drop(held);
        expect(&limiter, 0, 0);
    }
}

#[test]
fn one_that_evicts_itself_takes_its_fallback_and_no_place() {
    let layer = PriorityQueueLayer::new(1, 1, |request: &i32| *request);
    let limiter = layer.limiter();
    let held = limiter.try_acquire().unwrap();
    let stale = service_fn(|rejected: Rejected<i32>| ready(Ok::<_, &str>(rejected.request)));
    let mut service = layer
        .fallback(stale)
        .layer(service_fn(|_: i32| ready(Ok(0))));
    let mut lowest = Task::new(service.call(i32::MIN));
    lowest.expect_pending();
    let mut calls = Vec::new();
    for priority in [i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX] {
        let mut call = Task::new(service.call(priority));
        call.expect_pending();
        expect(&limiter, 1, 1);
        calls.push((priority, call));
    }
    assert_eq!(lowest.expect_ready().unwrap(), i32::MIN);
    let (_, mut highest) = calls.pop().unwrap();
    for (priority, mut call) in calls {
        assert_eq!(call.expect_ready().unwrap(), priority);
    }
    drop(held);
    assert_eq!(highest.expect_ready().unwrap(), 0);
    expect_whole(&limiter);
}

#[test]
fn neither_a_call_nor_its_fallback_allocates_or_leaves_anything() {
    let layer = ConcurrencyLimitLayer::queued(1, 1);
    let limiter = layer.limiter();
    let fresh = |request: u32| ready(Answer::Ok(request));
    let stale = |rejected: Rejected<u32>| ready(Answer::Ok(rejected.request + 1));
    let mut service = layer.fallback(service_fn(stale)).layer(service_fn(fresh));
    let mut round = |request| {
        let mut admitted = service.call(request);
        assert!(matches!(poll_once(&mut admitted), Poll::Ready(Ok(answer)) if answer == request));
        let held = limiter.try_acquire().unwrap();
        let mut waiting = service.call(request);
        let mut rejected = service.call(request);
        assert!(poll_once(&mut waiting).is_pending());
        assert!(matches!(poll_once(&mut rejected), Poll::Ready(Ok(answer)) if answer > request));
        drop(held);
        assert!(matches!(poll_once(&mut waiting), Poll::Ready(Ok(answer)) if answer == request));
    };
    round(0);
    let allocations = count_allocations(|| (0..1_000).for_each(round)).1;
    assert_eq!((allocations.count, allocations.retained), (0, 0));
}
