//! Keys, and what is asked of them, behind a limit for each key.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use inflight_test::{Script, Task};
use tokio::runtime::Builder;
use tower::{Layer, Service, ServiceBuilder, service_fn};
use tower_inflight::algorithm::{Aimd, Algorithm, Limit, Sample};
use tower_inflight::{
    AimdOptions, KeyPlan, KeyedLimitLayer, KeyedLimiter, Reason, Rejected, Ticket,
};

use crate::wreck::{expect_panic, explode};

type Call = (char, i32);
type Requests = Script<Call, u32, &'static str>;

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "readers of keys get a reference"
)]
fn tenant(call: &Call) -> char {
    call.0
}

/// Two at a time, one of each key, and a line.
fn limiter() -> KeyedLimiter<char> {
    KeyedLimiter::builder()
        .max_concurrency(2)
        .key_max_concurrency(1)
        .queue_limit(9)
        .key_queue_limit(4)
        .build_limiter()
        .unwrap()
}

/// Nothing is held, nobody waits, no key is left, and all can be had.
#[track_caller]
fn expect_whole<K: Eq + Hash>(limiter: &KeyedLimiter<K>, key: K) {
    let snapshot = limiter.snapshot();
    let total = snapshot.total;
    assert_eq!((total.in_flight, total.queued, snapshot.keys), (0, 0, 0));
    drop(limiter.try_acquire(key).expect("all of it is free"));
}

/// The last of a key is dropped, or one that turns out to be known: a panic
/// there is no business of the call.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Grenade(char);

thread_local! {
    static IS_ARMED: Cell<bool> = const { Cell::new(false) };
}

impl Hash for Grenade {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Drop for Grenade {
    fn drop(&mut self) {
        if IS_ARMED.get() && !thread::panicking() {
            explode();
        }
    }
}

#[test]
fn keys_that_panic_as_they_are_dropped_fail_no_call() {
    let script: Requests = Script::new();
    let layer = KeyedLimitLayer::builder(|call: &Call| Grenade(call.0))
        .max_concurrency(9)
        .key_max_concurrency(2)
        .queue_limit(9)
        .key_queue_limit(1)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(script.service());
    IS_ARMED.set(true);
    let mut calls = [0, 1, 2].map(|id| Task::new(service.call(('a', id))));
    calls.iter_mut().for_each(Task::expect_pending);
    assert_eq!(script.requests(), [('a', 0), ('a', 1)]);
    let refused = Task::new(service.call(('a', 3))).expect_ready();
    let rejection = *refused.unwrap_err().rejection().unwrap();
    assert_eq!(rejection.reason(), Reason::KeyQueueFull);
    script.work().finish(0, Ok(7));
    assert_eq!(calls[0].expect_ready().unwrap(), 7);
    calls[2].expect_pending();
    drop(calls);
    IS_ARMED.set(false);
    expect_whole(&limiter, Grenade('a'));
}

/// What is read from a request may panic at any point, the call before it was
/// made ready: nothing is taken by then.
#[test]
fn readers_of_requests_that_panic_take_nothing() {
    let script: Requests = Script::new();
    let at = |here: i32| move |call: &Call| if call.1 == here { explode() } else { here };
    let (key, weight, priority, wait, exempt) = (at(1), at(2), at(3), at(4), at(5));
    let layer = KeyedLimitLayer::builder(move |call: &Call| {
        let _ = key(call);
        call.0
    })
    .max_concurrency(4)
    .weight(move |call: &Call| weight(call).unsigned_abs())
    .priority(priority)
    .max_wait(move |call: &Call| {
        let _ = wait(call);
        None
    })
    .exempt(move |call: &Call| {
        let _ = exempt(call);
        false
    })
    .key_plan(|key| {
        if *key == '!' {
            explode()
        } else {
            KeyPlan::new(Limit::MAX)
        }
    })
    .build()
    .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(script.service());
    let mut held = Task::new(service.call(('a', 0)));
    held.expect_pending();
    for call in [1, 2, 3, 4, 5]
        .map(|id| ('a', id))
        .into_iter()
        .chain([('!', 0)])
    {
        expect_panic(|| service.call(call));
        let snapshot = limiter.snapshot();
        assert_eq!(
            (snapshot.total.in_flight, snapshot.keys),
            (2, 1),
            "{call:?}"
        );
    }
    drop(held);
    expect_whole(&limiter, 'a');
}

/// The key is asked for before anything is decided, so it may well use the
/// limiter that it is for.
#[test]
fn a_reader_of_keys_may_call_the_limiter() {
    let inside: Arc<OnceLock<KeyedLimiter<char>>> = Arc::default();
    let limiter = inside.get_or_init(limiter);
    let used = Arc::clone(&inside);
    let layer = KeyedLimitLayer::with_limiter(limiter.clone(), move |call: &Call| {
        let limiter = used.get().expect("it was built before the layer");
        let first = limiter.try_acquire(call.0);
        assert!(first.is_ok() && limiter.try_acquire(call.0).is_err());
        limiter.set_key_limit(&call.0, 2).unwrap();
        call.0
    });
    let mut service = layer.layer(service_fn(async |call: Call| Ok::<_, &str>(call)));
    assert_eq!(
        Task::new(service.call(('a', 1))).expect_ready().unwrap(),
        ('a', 1)
    );
    expect_whole(limiter, 'a');
}

// F181
#[test]
fn a_limit_inside_itself_refuses_its_own_key_and_never_hangs() {
    let layer = KeyedLimitLayer::builder(tenant as fn(&Call) -> char)
        .max_concurrency(2)
        .key_max_concurrency(1)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = ServiceBuilder::new()
        .layer(layer.clone())
        .layer(layer)
        .service(service_fn(async |_: Call| Ok::<_, &str>(())));
    let error = Task::new(service.call(('a', 0)))
        .expect_ready()
        .unwrap_err();
    let inner = error.into_service().expect("the outer one has let it in");
    assert_eq!(inner.rejection().unwrap().reason(), Reason::KeyLimit);
    expect_whole(&limiter, 'a');
}

/// Its hook asks for what the call was refused, under the key of the call and
/// another one.
#[test]
fn a_hook_may_call_the_limiter_that_refused() {
    let inside: Arc<OnceLock<KeyedLimiter<char>>> = Arc::default();
    let used = Arc::clone(&inside);
    let built = KeyedLimiter::builder()
        .max_concurrency(2)
        .key_max_concurrency(1)
        .on_rejected(move |rejection| {
            if rejection.reason() == Reason::KeyLimit {
                let limiter = used.get().expect("it was built before the call");
                drop(limiter.try_acquire('b'));
                limiter.set_limit(1).unwrap();
                // Refused again, for another reason.
                assert!(limiter.try_acquire('b').is_err());
            }
        })
        .build_limiter()
        .unwrap();
    let limiter = inside.get_or_init(|| built);
    let held = limiter.try_acquire('a').unwrap();
    assert!(limiter.try_acquire('a').is_err());
    assert_eq!((limiter.hook_failures(), limiter.keys()), (0, 1));
    drop(held);
    expect_whole(limiter, 'a');
}

#[test]
fn a_runtime_that_goes_takes_its_callers_along_and_serves_those_of_others() {
    let limiter = limiter();
    let held = ['a', 'b'].map(|key| limiter.try_acquire(key).unwrap());
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    let spawn = |key, ticket| {
        let waiting = limiter.acquire_with(key, ticket);
        runtime.spawn(async { drop(waiting.await) });
    };
    for key in ['a', 'b', 'c', 'd'] {
        spawn(key, Ticket::new());
        spawn(key, Ticket::new().with_max_wait(Duration::from_secs(999)));
    }
    let mut outside = Task::new(limiter.acquire('e'));
    outside.expect_pending();
    assert_eq!((limiter.snapshot().total.queued, limiter.keys()), (9, 5));
    drop(runtime);
    assert_eq!((limiter.snapshot().total.queued, limiter.keys()), (1, 3));
    drop(held);
    drop(outside.expect_ready().unwrap());
    expect_whole(&limiter, 'a');
}

#[test]
fn permits_that_end_on_other_threads_hand_over_across_keys() {
    let limiter = limiter();
    for _ in 0..200 {
        let held = ['a', 'b'].map(|key| limiter.try_acquire(key).unwrap());
        let waiters = ['a', 'c', 'b', 'a'].map(|key| limiter.acquire(key));
        thread::scope(|scope| {
            for permit in held {
                scope.spawn(move || drop(permit));
            }
            for waiter in waiters {
                scope.spawn(|| {
                    let runtime = Builder::new_current_thread().build().unwrap();
                    drop(runtime.block_on(waiter).expect("all have a place"));
                });
            }
            let limiter = &limiter;
            scope.spawn(move || drop(limiter.acquire_blocking('d').expect("it has a place")));
        });
        expect_whole(&limiter, 'a');
    }
}

/// It panics as it is made, as it runs and as it is dropped: without a permit,
/// so none is lost, and the next call is diverted again.
#[test]
fn fallbacks_that_panic_hold_nothing_of_a_key() {
    let layer = KeyedLimitLayer::builder(tenant as fn(&Call) -> char)
        .key_max_concurrency(1)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let fallback = service_fn(|rejected: Rejected<Call>| {
        if rejected.request.1 == 0 {
            explode();
        }
        async move {
            if rejected.request.1 == 1 {
                explode();
            }
            Ok::<_, &str>(rejected.rejection.reason())
        }
    });
    let inner = service_fn(async |_: Call| Err("it would have let the call in"));
    let mut service = layer.fallback(fallback).layer(inner);
    let held = limiter.try_acquire('a').unwrap();
    for id in [0, 1] {
        expect_panic(|| Task::new(service.call(('a', id))).poll());
        assert_eq!((limiter.snapshot().total.in_flight, limiter.keys()), (1, 1));
    }
    let diverted = Task::new(service.call(('a', 2))).expect_ready();
    assert_eq!(diverted.unwrap(), Reason::KeyLimit);
    drop(held);
    expect_whole(&limiter, 'a');
}

/// Panics whenever it is told of anything.
#[derive(Debug)]
struct Touchy(Aimd);

impl Algorithm for Touchy {
    fn limit(&self) -> Limit {
        self.0.limit()
    }

    fn observe(&mut self, _: &Sample) -> Limit {
        explode()
    }

    fn describe(&self) -> tower_inflight::algorithm::Description {
        self.0.describe()
    }
}

#[tokio::test(start_paused = true)]
async fn an_algorithm_that_panics_loses_no_permit_of_any_key() {
    let layer = KeyedLimitLayer::builder(tenant as fn(&Call) -> char)
        .key_max_concurrency(1)
        .queue_limit(9)
        .key_queue_limit(9)
        .adaptive(Touchy(Aimd::new(AimdOptions::default()).unwrap()))
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(async |call: Call| Ok::<_, &str>(call.1)));
    let mut calls: Vec<_> = (0..9)
        .map(|id| Task::new(service.call((['a', 'b', 'c'][id % 3], i32::try_from(id).unwrap()))))
        .collect();
    for call in &mut calls {
        assert!(call.expect_ready().is_ok());
    }
    assert_eq!(limiter.hook_failures(), 9);
    expect_whole(&limiter, 'a');
}

/// The total falls to its least, and rises, while most wait for their own key.
#[tokio::test(start_paused = true)]
async fn an_adaptive_total_that_falls_to_one_serves_all_keys() {
    let script: Requests = Script::new();
    let layer = KeyedLimitLayer::builder(tenant as fn(&Call) -> char)
        .key_max_concurrency(2)
        .queue_limit(99)
        .key_queue_limit(99)
        .weight(|call: &Call| call.1.unsigned_abs())
        .adaptive(
            Aimd::new(AimdOptions {
                initial_limit: 4,
                min_limit: 1,
                max_limit: 4,
                ..AimdOptions::default()
            })
            .unwrap(),
        )
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(script.service());
    script.answer_with(|_| Err("overloaded"));
    for _ in 0..20 {
        let _ = service.call(('x', 1)).await;
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    assert_eq!(limiter.snapshot().total.limit, 1);
    let mut calls: Vec<_> = ['a', 'b', 'c', 'a', 'b', 'c']
        .iter()
        .zip([2, 1, 2, 1, 2, 1])
        .map(|(key, weight)| Task::new(service.call((*key, weight))))
        .collect();
    for call in &mut calls {
        assert!(call.expect_ready().is_err(), "it was its turn");
    }
    expect_whole(&limiter, 'a');
}

/// The permit outlives the service, the limit's layer and the task; its key is
/// known for as long.
#[cfg(feature = "http")]
#[test]
fn a_body_and_a_handle_keep_the_key_until_both_have_gone() {
    use http::{Request, Response};
    use tower_inflight::http::{PermitHandle, UntilBody};

    let layer = KeyedLimitLayer::builder(|request: &Request<char>| *request.body())
        .max_concurrency(2)
        .key_max_concurrency(1)
        .queue_limit(9)
        .key_queue_limit(9)
        .hold(UntilBody.with_handle())
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(service_fn(async |request: Request<char>| {
        let handle: PermitHandle = request.extensions().get().cloned().unwrap();
        let mut response = Response::new(http_body_util::Full::new(&b"unread"[..]));
        response.extensions_mut().insert(handle);
        Ok::<_, &str>(response)
    }));
    let mut call = Task::new(service.call(Request::new('a')));
    let response = call.expect_ready().unwrap();
    let mut same = Task::new(service.call(Request::new('a')));
    same.expect_pending();
    let other = Task::new(service.call(Request::new('b')))
        .expect_ready()
        .unwrap();
    let handle: PermitHandle = response.extensions().get().cloned().unwrap();
    let kept = handle.hold().expect("the body is not read");
    thread::spawn(move || drop(response)).join().unwrap();
    assert_eq!(
        limiter.key(&'a').map(|key| (key.in_flight, key.queued)),
        Some((1, 1))
    );
    drop((service, layer, call));
    thread::spawn(move || drop(kept)).join().unwrap();
    assert!(same.is_woken());
    assert!(handle.hold().is_none());
    drop((same, other));
    expect_whole(&limiter, 'a');
}
