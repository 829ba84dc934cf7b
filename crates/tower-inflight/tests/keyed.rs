//! The layer that limits each key, and all of them together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task};
use tokio::time::advance;
use tower::{Layer, Service, service_fn};
use tower_inflight::algorithm::{Aimd, Limit};
use tower_inflight::builder::KeyedLimitBuilder;
use tower_inflight::{
    AimdOptions, ConcurrencyLimitLayer, ConfigError, Fairness, KeyOverflow, KeyPlan,
    KeyedLimitLayer, KeyedLimitOptions, KeyedLimiter, Reason, Rejected, Rejection, Ticket,
};

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Request {
    tenant: char,
    id: u32,
}

type Inner = ScriptedService<Request, u32, &'static str>;
type Requests = Script<Request, u32, &'static str>;

fn request(tenant: char, id: u32) -> Request {
    Request { tenant, id }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "it is called with a reference to each request"
)]
fn tenant(request: &Request) -> char {
    request.tenant
}

/// `total` at a time, two of each tenant, and a line.
fn builder(total: usize) -> KeyedLimitBuilder<char, fn(&Request) -> char> {
    KeyedLimitLayer::builder(tenant as fn(&Request) -> char)
        .max_concurrency(total)
        .key_max_concurrency(2)
        .queue_limit(10)
        .key_queue_limit(5)
}

fn inner() -> (Requests, Inner) {
    let script = Script::new();
    let service = script.service();
    (script, service)
}

fn ids(script: &Requests) -> Vec<u32> {
    script.requests().iter().map(|request| request.id).collect()
}

#[track_caller]
fn rejection<T: std::fmt::Debug>(
    call: &mut Task<impl Future<Output = Result<T, tower_inflight::Error<&'static str>>>>,
) -> Rejection {
    let error = call.expect_ready().expect_err("it is turned away");
    *error.rejection().expect("by the limiter")
}

#[test]
fn a_call_runs_when_its_key_and_the_total_have_room() {
    let (script, inner) = inner();
    let layer = builder(3).build().unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    let mut calls: Vec<_> = [('a', 0), ('a', 1), ('a', 2), ('b', 3), ('b', 4), ('c', 5)]
        .map(|(tenant, id)| Task::new(service.call(request(tenant, id))))
        .into();
    calls.iter_mut().for_each(Task::expect_pending);
    assert_eq!(ids(&script), [0, 1, 3], "a has two, b fills the total");
    let snapshot = limiter.snapshot();
    assert_eq!(
        (
            snapshot.total.in_flight,
            snapshot.total.queued,
            snapshot.keys
        ),
        (3, 3, 3)
    );

    // Slot after slot: 2 came first, but its key is full until one of its own ends.
    script.work().finish(2, Ok(0));
    calls[3].expect_ready().unwrap();
    assert!(!calls[2].is_woken() && calls[4].is_woken());
    script.work().finish(0, Ok(0));
    calls[0].expect_ready().unwrap();
    assert!(calls[2].is_woken());
    calls.iter_mut().skip(4).for_each(Task::expect_pending);
    calls[2].expect_pending();
    assert_eq!(ids(&script), [0, 1, 3, 4, 2]);
}

#[test]
fn a_key_is_forgotten_with_its_last_call() {
    let (script, inner) = inner();
    let layer = builder(3).build().unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    let mut calls = ['a', 'b'].map(|tenant| Task::new(service.call(request(tenant, 0))));
    calls.iter_mut().for_each(Task::expect_pending);
    assert_eq!(limiter.keys(), 2);
    assert_eq!(limiter.key(&'a').unwrap().in_flight, 1);
    script.work().finish(0, Ok(0));
    calls[0].expect_ready().unwrap();
    assert_eq!((limiter.keys(), limiter.key(&'a')), (1, None));
    drop(calls);
    assert_eq!(limiter.keys(), 0);
}

#[test]
fn a_rejection_says_which_bound_refused() {
    let (_script, inner) = inner();
    let layer = builder(3)
        .queue_limit(2)
        .key_queue_limit(1)
        .name("search")
        .build()
        .unwrap();
    let mut service = layer.layer(inner);
    let mut held: Vec<_> = [('a', 0), ('a', 1), ('b', 2), ('a', 3)]
        .map(|(tenant, id)| Task::new(service.call(request(tenant, id))))
        .into();
    held.iter_mut().for_each(Task::expect_pending);

    let of_key = rejection(&mut Task::new(service.call(request('a', 4))));
    assert_eq!(
        (of_key.reason(), of_key.is_of_key()),
        (Reason::KeyQueueFull, true)
    );
    assert_eq!((of_key.limit(), of_key.in_flight()), (2, 2));
    assert_eq!((of_key.queue_limit(), of_key.queued()), (1, 1));
    assert_eq!(
        of_key.to_string(),
        "concurrency limit `search` rejected the call: \
         queue of its key full (2 of 2 running, 1 of 1 queued)",
    );

    let mut waiting = Task::new(service.call(request('c', 5)));
    waiting.expect_pending();
    let of_total = rejection(&mut Task::new(service.call(request('d', 6))));
    assert_eq!(
        (of_total.reason(), of_total.is_of_key()),
        (Reason::TotalQueueFull, false)
    );
    assert_eq!((of_total.limit(), of_total.queue_limit()), (3, 2));
    assert_eq!(
        of_total.to_string(),
        "concurrency limit `search` rejected the call: \
         queue of all keys full (3 of 3 running, 2 of 2 queued)",
    );
}

#[test]
fn without_a_line_it_says_so_too() {
    let limiter: KeyedLimiter<char> = KeyedLimiter::builder()
        .max_concurrency(2)
        .key_max_concurrency(1)
        .max_keys(2)
        .build_limiter()
        .unwrap();
    let _a = limiter.try_acquire('a').unwrap();
    let key = limiter.try_acquire('a').unwrap_err();
    assert_eq!(
        key.to_string(),
        "concurrency limit rejected the call: limit of its key reached (1 of 1 running)",
    );
    let _b = limiter.try_acquire('b').unwrap();
    let keys = limiter.try_acquire('c').unwrap_err();
    assert_eq!(
        keys.to_string(),
        "concurrency limit rejected the call: too many keys (2 of 2)",
    );
    limiter.set_limit(1).unwrap();
    limiter.set_key_limit(&'b', 2).unwrap();
    let total = limiter.try_acquire('b').unwrap_err();
    assert_eq!(
        total.to_string(),
        "concurrency limit rejected the call: total limit reached (2 of 1 running)",
    );
}

#[test]
fn one_key_too_many_shares_one_if_so_built() {
    let plan = KeyPlan::new(Limit::ONE);
    let limiter: KeyedLimiter<u32> = KeyedLimiter::builder()
        .max_keys(1)
        .overflow(KeyOverflow::Share(plan))
        .build_limiter()
        .unwrap();
    let _first = limiter.try_acquire(1).unwrap();
    let _second = limiter.try_acquire(2).unwrap();
    assert_eq!(
        limiter.try_acquire(3).unwrap_err().reason(),
        Reason::KeyLimit
    );
    let top = limiter.top(5);
    assert_eq!(top.len(), 2);
    assert!(top.iter().any(|load| load.key.is_none()));
}

#[tokio::test(start_paused = true)]
async fn a_wait_has_an_end_and_a_closed_limiter_says_so() {
    let (script, inner) = inner();
    let timeout = Duration::from_millis(250);
    let layer = builder(1).queue_timeout(timeout).build().unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    let mut running = Task::new(service.call(request('a', 0)));
    running.expect_pending();
    let late = service.call(request('b', 1)).await.unwrap_err();
    let late = late.rejection().unwrap();
    assert_eq!(
        (late.reason(), late.waited()),
        (Reason::QueueTimeout, timeout)
    );

    let mut waiting = Task::new(service.call(request('b', 2)));
    waiting.expect_pending();
    assert!(!limiter.is_closed());
    limiter.close();
    assert_eq!(rejection(&mut waiting).reason(), Reason::Closed);
    let mut drained = Task::new(limiter.drained());
    drained.expect_pending();
    script.work().finish(0, Ok(7));
    assert_eq!(running.expect_ready().unwrap(), 7);
    assert!(drained.is_woken());
    drained.expect_ready();
    assert!(limiter.is_closed());
}

#[test]
fn priority_counts_inside_a_key_and_evicts_nobody_of_another() {
    let (script, inner) = inner();
    let layer = builder(1)
        .queue_limit(2)
        .key_queue_limit(2)
        .priority(|request: &Request| i32::try_from(request.id).unwrap())
        .build()
        .unwrap();
    let mut service = layer.layer(inner);
    let mut running = Task::new(service.call(request('a', 0)));
    running.expect_pending();
    let mut low = Task::new(service.call(request('a', 1)));
    let mut other = Task::new(service.call(request('b', 2)));
    low.expect_pending();
    other.expect_pending();
    let mut high = Task::new(service.call(request('a', 9)));
    high.expect_pending();
    assert_eq!(rejection(&mut low).reason(), Reason::QueueEvicted);
    assert!(!other.is_woken());
    let full = rejection(&mut Task::new(service.call(request('c', 8))));
    assert_eq!(
        full.reason(),
        Reason::TotalQueueFull,
        "b is not c's to evict"
    );
    script.work().finish(0, Ok(0));
    running.expect_ready().unwrap();
    assert!(other.is_woken() || high.is_woken());
}

#[test]
fn keys_take_turns_if_so_built() {
    let (script, inner) = inner();
    let layer = builder(1)
        .key_max_concurrency(1)
        .fairness(Fairness::RoundRobin)
        .build()
        .unwrap();
    let mut service = layer.layer(inner);
    let noisy = [('a', 0), ('a', 1), ('a', 2), ('a', 3), ('b', 4), ('b', 5)];
    let mut calls: Vec<_> = noisy
        .map(|(tenant, id)| Task::new(service.call(request(tenant, id))))
        .into();
    calls.iter_mut().for_each(Task::expect_pending);
    for turn in 0..calls.len() {
        let id = ids(&script)[turn];
        script.work().finish(turn, Ok(id));
        let _ = calls[id as usize].expect_ready().unwrap();
        for call in calls.iter_mut().filter(|call| call.is_woken()) {
            let _ = call.poll();
        }
    }
    assert_eq!(ids(&script), [0, 4, 1, 5, 2, 3]);
}

#[test]
fn it_shows_both_limits_and_both_lines() {
    let layer = builder(100).queue_timeout(Duration::from_millis(250));
    let layer = layer.build().unwrap();
    let text = "KeyedConcurrencyLimit(100, 2 a key, queue 10/250ms, 5 a key)";
    assert_eq!(layer.to_string(), text);
    assert_eq!(layer.limiter().to_string(), text);

    let shared = KeyPlan::new(Limit::new(5).unwrap());
    let layer = builder(100)
        .max_keys(7)
        .overflow(KeyOverflow::Share(shared));
    assert_eq!(
        layer.build().unwrap().to_string(),
        "KeyedConcurrencyLimit(100, 2 a key, queue 10, 5 a key, 7 keys, overflow 5)"
    );
}

#[test]
fn a_permit_knows_its_weight_and_where_it_goes_back() {
    let limiter: KeyedLimiter<char> = KeyedLimiter::builder().build_limiter().unwrap();
    let heavy = Ticket::new().with_weight(3);
    let permit = limiter.try_acquire_with('a', heavy).unwrap();
    assert_eq!(permit.weight(), 3);
    assert_eq!(permit.limiter().key(&'a').unwrap().in_flight, 3);
}

#[test]
fn each_key_may_have_a_plan_of_its_own() {
    let limit = |limit| Limit::new(limit).unwrap();
    let limiter: KeyedLimiter<&str> = KeyedLimiter::builder()
        .key_plan(move |key| KeyPlan::new(if *key == "paid" { limit(3) } else { limit(1) }))
        .build_limiter()
        .unwrap();
    let held = |key| -> usize {
        let permits: Vec<_> = std::iter::from_fn(|| limiter.try_acquire(key).ok()).collect();
        permits.len()
    };
    assert_eq!((held("paid"), held("free")), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn the_total_may_follow_the_load() {
    let (script, inner) = inner();
    let aimd = Aimd::new(AimdOptions {
        initial_limit: 4,
        ..AimdOptions::default()
    })
    .unwrap();
    let changes = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&changes);
    let layer = KeyedLimitLayer::builder(tenant as fn(&Request) -> char)
        .key_max_concurrency(10)
        .adaptive(aimd)
        .on_limit_change(move |change| told.lock().unwrap().push((change.before(), change.after())))
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let latest = limiter.limit_changes().unwrap();
    assert_eq!(
        limiter.to_string(),
        "KeyedConcurrencyLimit(AIMD, initial 4, max 100, 10 a key)",
    );
    assert_eq!(
        limiter.set_limit(3).unwrap_err().to_string(),
        "KeyedLimitOptions.max_concurrency must be left to the algorithm of an adaptive total \
         (was 3)",
    );
    let mut service = layer.layer(inner);
    script.answer_with(|_| Err("overloaded"));
    for _ in 0..2 {
        let _ = service.call(request('a', 0)).await;
        advance(Duration::from_secs(1)).await;
    }
    assert_eq!(limiter.snapshot().total.limit, 3);
    assert_eq!(limiter.adaptation().unwrap().limit, 3);
    assert_eq!(*changes.lock().unwrap(), [(4, 3)]);
    assert_eq!(latest.borrow().unwrap().after(), 3);
}

#[test]
fn a_fallback_an_exemption_and_hooks_work_as_for_the_other_layers() {
    let told = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&told);
    let layer = builder(1)
        .queue_limit(0)
        .key_queue_limit(0)
        .exempt(|request: &Request| request.tenant == 'h')
        .on_rejected(move |_| *counted.lock().unwrap() += 1)
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let (_script, inner) = inner();
    let fallback = service_fn(async |rejected: Rejected<Request>| Ok(rejected.request.id + 1_000));
    let mut service = layer.fallback(fallback).layer(inner);
    let _held = limiter.try_acquire('a').unwrap();
    let mut diverted = Task::new(service.call(request('b', 1)));
    assert_eq!(diverted.expect_ready().unwrap(), 1_001);
    assert_eq!(*told.lock().unwrap(), 1);
    let mut health = Task::new(service.call(request('h', 2)));
    health.expect_pending();
    assert_eq!((limiter.snapshot().total.in_flight, limiter.keys()), (1, 1));
}

#[test]
fn whatever_ends_a_call_gives_both_bounds_back() {
    let (script, inner) = inner();
    let layer = builder(1).build().unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    script.work().panic_at_start(0);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        Task::new(service.call(request('a', 0))).poll()
    }));
    assert!(caught.is_err());
    drop(service.call(request('a', 1)));
    script.fail_readiness("not ready");
    let unready = Task::new(service.call(request('a', 2))).expect_ready();
    assert_eq!(unready.unwrap_err().into_service().unwrap(), "not ready");
    let mut waiting = {
        let held = limiter.try_acquire('a').unwrap();
        let mut waiting = Task::new(service.call(request('a', 3)));
        waiting.expect_pending();
        drop(held);
        waiting
    };
    assert!(waiting.is_woken());
    let _ = waiting.poll();
    drop(waiting);
    let snapshot = limiter.snapshot();
    assert_eq!(
        (
            snapshot.total.in_flight,
            snapshot.total.queued,
            snapshot.keys
        ),
        (0, 0, 0)
    );
}

/// A queued tenant must not sit on a slot of the total. Plain limiters nested
/// the wrong way round do that.
#[test]
fn the_wrong_order_of_two_plain_limiters_starves_a_quiet_tenant_and_this_one_does_not() {
    let (_script, inner) = inner();
    let per_tenant = ConcurrencyLimitLayer::queued(1, 10);
    let total = ConcurrencyLimitLayer::queued(2, 10);
    let (noisy, quiet) = (
        total.layer(per_tenant.layer(inner.clone())),
        total.layer(inner.clone()),
    );
    let (mut noisy, mut quiet) = (noisy, quiet);
    let mut nested: Vec<_> = (0..2)
        .map(|id| Task::new(noisy.call(request('a', id))))
        .collect();
    nested.iter_mut().for_each(Task::expect_pending);
    assert_eq!(per_tenant.limiter().snapshot().in_flight, 1, "one works");
    assert_eq!(
        total.limiter().snapshot().in_flight,
        2,
        "and one waits, on a slot of the total"
    );
    let mut starved = Task::new(quiet.call(request('b', 2)));
    starved.expect_pending();
    assert_eq!(total.limiter().snapshot().queued, 1);

    let layer = builder(2).key_max_concurrency(1).build().unwrap();
    let limiter = layer.limiter();
    let mut service = layer.layer(inner);
    let mut calls = [('a', 0), ('a', 1), ('b', 2)]
        .map(|(tenant, id)| Task::new(service.call(request(tenant, id))));
    calls.iter_mut().for_each(Task::expect_pending);
    let snapshot = limiter.snapshot().total;
    assert_eq!(
        (snapshot.in_flight, snapshot.queued),
        (2, 1),
        "b runs beside a"
    );
    assert_eq!(limiter.key(&'b').unwrap().in_flight, 1);
}

#[test]
fn what_cannot_be_is_refused_by_name_and_value() {
    let built = |options: KeyedLimitOptions| -> ConfigError {
        let built = KeyedLimiter::<u32>::builder()
            .options(options)
            .build_limiter();
        built.unwrap_err()
    };
    let default = KeyedLimitOptions::default();
    let wrong = [
        KeyedLimitOptions {
            max_concurrency: 0,
            ..default
        },
        KeyedLimitOptions {
            key_max_concurrency: 0,
            ..default
        },
        KeyedLimitOptions {
            max_keys: 0,
            ..default
        },
        KeyedLimitOptions {
            queue_timeout: Some(Duration::ZERO),
            ..default
        },
        KeyedLimitOptions {
            queue_limit: 20,
            ..default
        },
        KeyedLimitOptions {
            key_queue_limit: 2,
            ..default
        },
    ];
    let texts = wrong.map(|options| built(options).to_string());
    assert_eq!(
        texts,
        [
            "KeyedLimitOptions.max_concurrency must be positive (was 0)",
            "KeyedLimitOptions.key_max_concurrency must be positive (was 0)",
            "KeyedLimitOptions.max_keys must be positive (was 0)",
            "KeyedLimitOptions.queue_timeout must be positive (was 0ns)",
            "KeyedLimitOptions.key_queue_limit must be positive where queue_limit is (was 0)",
            "KeyedLimitOptions.queue_limit must be positive where key_queue_limit is (was 0)",
        ]
    );
}
