//! The caller's own code, wherever it is run.

use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};

use inflight_test::{CountingWaker, Script, ScriptedService, Task, waker_on_drop};
use tower::{Layer, Service};
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Limiter, Reason};

use crate::workshop::{expect, ms, patient};

type Inner = ScriptedService<u32, u32, &'static str>;

// F165
#[test]
fn a_waker_that_ends_another_call_when_it_is_replaced_does_no_harm() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 2).layer(script.service());
    let limiter = service.limiter();
    let running = Mutex::new(Some(service.call(0)));
    let waker = waker_on_drop(move || drop(running.lock().unwrap().take()));
    let mut waiting = Box::pin(service.call(1));
    let first = waiting.as_mut().poll(&mut Context::from_waker(&waker));
    assert!(first.is_pending());
    drop(waker);
    expect(&limiter, 1, 1);

    let counter = CountingWaker::new();
    let second = counter.waker();
    // Replacing the first waker ends the running call, which lets this one in.
    let mut cx = Context::from_waker(&second);
    assert!(waiting.as_mut().poll(&mut cx).is_pending());
    expect(&limiter, 1, 0);
    assert_eq!(counter.wakes(), 1, "it learns of its grant");
    assert!(waiting.as_mut().poll(&mut cx).is_pending());
    assert_eq!(script.requests(), [1]);
}

// F167
#[test]
fn a_hook_may_call_look_and_resize_and_may_panic_afterwards() {
    type Held = OnceLock<Mutex<ConcurrencyLimit<Inner>>>;
    for panics in [false, true] {
        let service = Arc::new(Held::new());
        let called = Arc::new(Mutex::new(Vec::new()));
        let layer = ConcurrencyLimitLayer::builder()
            .max_concurrency(1)
            .on_rejected({
                let (service, called) = (Arc::clone(&service), Arc::clone(&called));
                move |_| {
                    let mut service = service.get().unwrap().lock().unwrap().clone();
                    let limiter = service.limiter();
                    let before = limiter.snapshot();
                    limiter.set_limit(before.limit + 1).unwrap();
                    called.lock().unwrap().push(service.call(9));
                    assert_eq!(limiter.snapshot().in_flight, before.in_flight + 1);
                    assert!(!panics, "as the test wants it");
                }
            })
            .build()
            .unwrap();
        let script: Script<u32, u32, &str> = Script::new();
        let mut limited = layer.layer(script.service());
        assert!(service.set(Mutex::new(limited.clone())).is_ok());
        let _held = limited.call(0);
        for rejected in 1..4 {
            let error = Task::new(limited.call(rejected))
                .expect_ready()
                .unwrap_err();
            assert_eq!(error.rejection().unwrap().reason(), Reason::LimitReached);
        }
        expect(&layer.limiter(), 4, 0);
        let failures = if panics { 3 } else { 0 };
        assert_eq!(layer.limiter().hook_failures(), failures);
        called.lock().unwrap().clear();
        expect(&layer.limiter(), 1, 0);
    }
}

// F169
#[test]
fn the_waker_of_the_last_poll_is_the_one_that_fires() {
    let script: Script<u32, u32, &str> = Script::new();
    let mut service = ConcurrencyLimitLayer::queued(1, 1).layer(script.service());
    let running = service.call(0);
    let mut waiting = Box::pin(service.call(1));
    let counters = [(); 3].map(|()| CountingWaker::new());
    for counter in &counters {
        let waker = counter.waker();
        let answer = waiting.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(answer.is_pending());
    }
    drop(running);
    assert_eq!(counters.map(|counter| counter.wakes()), [0, 0, 1]);
}

// F171: a stream that is read only when the loop's body has what the stream
// itself holds. Nothing but an end to the waiting helps.
#[tokio::test(start_paused = true)]
async fn permits_that_nobody_polls_are_told_of_by_a_timeout() {
    let limiter = patient(2, 1, ms(100));
    let buffered = [limiter.acquire(), limiter.acquire()];
    let body = limiter.acquire().await.unwrap_err();
    assert_eq!(body.reason(), Reason::QueueTimeout);
    drop(buffered);
    assert!(limiter.acquire().await.is_ok());
}

// F177
#[tokio::test(start_paused = true)]
async fn a_wait_takes_two_polls_and_one_wake() {
    let timed = patient(1, 1, ms(250));
    for limiter in [Limiter::queued(1, 1), timed] {
        let held = limiter.try_acquire().unwrap();
        let mut waiting = Task::new(limiter.acquire());
        waiting.expect_pending();
        tokio::time::advance(ms(100)).await;
        assert_eq!(waiting.wakes(), 0);
        drop(held);
        assert_eq!(waiting.wakes(), 1);
        assert!(matches!(waiting.poll(), Poll::Ready(Ok(_))));
        assert_eq!((waiting.polls(), waiting.wakes()), (2, 1));
    }
}

// F173
#[test]
fn newcomers_that_come_from_a_wake_up_stand_behind_those_who_wait() {
    let limiter = Limiter::queued(1, 200);
    let _held = limiter.try_acquire().unwrap();
    let newcomers = Arc::new(Mutex::new(Vec::new()));
    let waker = inflight_test::waker_on_wake({
        let (limiter, newcomers) = (limiter.clone(), Arc::clone(&newcomers));
        move || newcomers.lock().unwrap().push(limiter.acquire())
    });
    let mut first = limiter.acquire();
    let mut cx = Context::from_waker(&waker);
    assert!(std::pin::Pin::new(&mut first).poll(&mut cx).is_pending());
    let mut rest: Vec<_> = (0..99).map(|_| Task::new(limiter.acquire())).collect();
    rest.iter_mut().for_each(Task::expect_pending);

    limiter.set_limit(41).unwrap();
    let woken: Vec<_> = rest.iter().map(Task::is_woken).collect();
    assert!(woken[..39].iter().all(|woken| *woken));
    assert!(woken[39..].iter().all(|woken| !woken));
    assert_eq!(newcomers.lock().unwrap().len(), 1);
    expect(&limiter, 41, 61);
    let mut cx = Context::from_waker(Waker::noop());
    for newcomer in newcomers.lock().unwrap().iter_mut() {
        assert!(std::pin::Pin::new(newcomer).poll(&mut cx).is_pending());
    }
}
