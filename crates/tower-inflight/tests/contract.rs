//! What a service promises to whoever calls it, and asks of what it wraps.

use std::task::{Context, Poll, Waker};

use inflight_test::{CountingWaker, Script, ScriptedService, Task};
use tower::{Layer, Service, service_fn};
use tower_inflight::{
    AdaptiveAimdLayer, ConcurrencyLimit, ConcurrencyLimitLayer, Error, KeyedLimitLayer, Limiter,
    Reason, Rejected,
};

type Inner = ScriptedService<u32, u32, &'static str>;
type Limited = ConcurrencyLimit<Inner>;

fn limited(
    max_concurrency: usize,
    queue_limit: usize,
) -> (Script<u32, u32, &'static str>, Limited) {
    let script = Script::new();
    let layer = ConcurrencyLimitLayer::queued(max_concurrency, queue_limit);
    let service = layer.layer(script.service());
    (script, service)
}

fn poll_ready(service: &mut Limited) -> Poll<Result<(), Error<&'static str>>> {
    service.poll_ready(&mut Context::from_waker(Waker::noop()))
}

#[track_caller]
fn expect_ready(service: &mut Limited) {
    assert!(matches!(poll_ready(service), Poll::Ready(Ok(()))));
}

fn in_flight(limiter: &Limiter) -> (usize, usize) {
    let snapshot = limiter.snapshot();
    (snapshot.in_flight, snapshot.queued)
}

#[test]
fn with_room_readiness_is_that_of_the_service() {
    let (script, mut service) = limited(1, 0);
    script.set_ready_at_once(0);
    let counter = CountingWaker::new();
    let waker = counter.waker();
    assert!(
        service
            .poll_ready(&mut Context::from_waker(&waker))
            .is_pending()
    );

    script.set_ready_at_once(1);
    assert_eq!(counter.wakes(), 1);
    expect_ready(&mut service);
}

#[test]
fn without_room_it_is_ready_and_the_service_is_not_asked() {
    let (script, mut service) = limited(1, 0);
    script.set_ready_at_once(0);
    let held = service.limiter().try_acquire().unwrap();
    expect_ready(&mut service);
    assert_eq!(script.readiness_counts().polls, 0);

    drop(held);
    assert!(poll_ready(&mut service).is_pending());
    assert_eq!(script.readiness_counts().polls, 1);
}

/// `fill` has to take all the room that there is.
#[track_caller]
fn asks_the_service_only_where_there_is_room<S, P>(layer: &impl Layer<Inner, Service = S>, fill: P)
where
    S: Service<u32, Error = Error<&'static str>>,
    P: FnOnce() -> Box<dyn std::any::Any>,
{
    let script = Script::new();
    let mut service = layer.layer(script.service());
    script.set_ready_at_once(0);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(service.poll_ready(&mut cx).is_pending());
    let room = fill();
    assert!(matches!(service.poll_ready(&mut cx), Poll::Ready(Ok(()))));
    assert_eq!(script.readiness_counts().polls, 1);
    drop(room);
    assert!(service.poll_ready(&mut cx).is_pending());
}

#[test]
fn readiness_is_the_same_under_every_kind_of_limit() {
    let adaptive = AdaptiveAimdLayer::builder().max_limit(1).initial_limit(1);
    let adaptive = adaptive.build().unwrap();
    let limiter = adaptive.limiter();
    asks_the_service_only_where_there_is_room(&adaptive, || {
        Box::new(limiter.try_acquire().unwrap())
    });

    let keyed = KeyedLimitLayer::builder(|request: &u32| *request).max_concurrency(1);
    let keyed = keyed.build().unwrap();
    let limiter = keyed.limiter();
    asks_the_service_only_where_there_is_room(&keyed, || Box::new(limiter.try_acquire(7).unwrap()));

    let fixed = ConcurrencyLimitLayer::new(1);
    let limiter = fixed.limiter();
    let fallback = service_fn(async |rejected: Rejected<u32>| Ok(rejected.request));
    let diverting = fixed.fallback(fallback);
    asks_the_service_only_where_there_is_room(&diverting, || {
        Box::new(limiter.try_acquire().unwrap())
    });
}

#[test]
fn once_room_has_vanished_a_pending_readiness_turns_into_ready() {
    let (script, mut service) = limited(1, 0);
    script.set_ready_at_once(0);
    assert!(poll_ready(&mut service).is_pending());
    let _held = service.limiter().try_acquire().unwrap();
    expect_ready(&mut service);
}

#[test]
fn readiness_reserves_no_permit() {
    let (script, service) = limited(1, 0);
    let mut clones = vec![service.clone(); 10];
    clones.iter_mut().for_each(expect_ready);
    assert_eq!(in_flight(&service.limiter()), (0, 0));

    let mut calls: Vec<_> = clones
        .iter_mut()
        .map(|clone| Task::new(clone.call(1)))
        .collect();
    calls[0].expect_pending();
    for call in &mut calls[1..] {
        let error = call.expect_ready().unwrap_err();
        assert_eq!(error.rejection().unwrap().reason(), Reason::LimitReached);
    }
    assert_eq!(script.work().counts().started, 1);
}

#[test]
fn a_ready_service_is_called_itself() {
    let (script, mut service) = limited(1, 0);
    expect_ready(&mut service);
    let mut call = Task::new(service.call(7));
    assert_eq!(script.requests(), [7], "in `call`, before any poll");
    assert_eq!(script.readiness_counts().clones, 1);

    script.work().finish(0, Ok(8));
    assert_eq!(call.expect_ready().unwrap(), 8);
}

#[test]
fn the_next_call_asks_again() {
    let (script, mut service) = limited(2, 0);
    expect_ready(&mut service);
    let _first = service.call(1);
    // A call that took the readiness of the first would panic in the script.
    let mut second = Task::new(service.call(2));
    second.expect_pending();
    assert_eq!(script.requests(), [1, 2]);
}

#[test]
fn a_call_without_readiness_makes_a_clone_ready() {
    let (script, mut service) = limited(1, 0);
    script.set_ready_at_once(0);
    let mut call = Task::new(service.call(7));
    assert_eq!(in_flight(&service.limiter()), (1, 0), "admitted in `call`");
    call.expect_pending();
    assert!(script.requests().is_empty());

    script.set_ready_at_once(1);
    assert!(call.is_woken());
    script.work().finish(0, Ok(8));
    assert_eq!(call.expect_ready().unwrap(), 8);
    assert_eq!(script.readiness_counts().reserved, 0);
}

#[test]
fn a_service_that_is_half_way_to_ready_goes_along_with_its_call() {
    let (script, mut service) = limited(1, 0);
    script.set_ready_at_once(0);
    assert!(poll_ready(&mut service).is_pending());
    let mut call = Task::new(service.call(7));
    assert_eq!(script.readiness_counts().waiting, 1, "it keeps its place");
    call.expect_pending();
    assert_eq!(script.readiness_counts().waiting, 1, "nobody asks twice");
    script.set_ready_at_once(1);
    call.expect_pending();
    assert_eq!(script.requests(), [7]);
}

#[test]
fn a_waiting_call_holds_no_ready_service() {
    let (script, mut service) = limited(1, 1);
    expect_ready(&mut service);
    assert_eq!(script.readiness_counts().reserved, 1);
    let held = service.limiter().try_acquire().unwrap();
    let mut call = Task::new(service.call(7));
    call.expect_pending();
    assert_eq!(in_flight(&service.limiter()), (1, 1));
    assert_eq!(script.readiness_counts().reserved, 0);

    drop(held);
    assert!(call.is_woken());
    call.expect_pending();
    assert_eq!(script.requests(), [7]);
}

#[test]
fn a_rejected_call_leaves_no_ready_service() {
    let (script, mut service) = limited(1, 0);
    expect_ready(&mut service);
    let _held = service.limiter().try_acquire().unwrap();
    assert!(Task::new(service.call(7)).expect_ready().is_err());
    let counts = script.readiness_counts();
    assert_eq!((counts.reserved, counts.clones), (0, 1));
}

#[test]
fn a_clone_starts_empty() {
    let (script, mut service) = limited(2, 0);
    expect_ready(&mut service);
    let mut clone = service.clone();
    assert_eq!(script.readiness_counts().reserved, 1);
    // Were it taken for ready, the script would panic.
    Task::new(clone.call(1)).expect_pending();
}

#[test]
fn the_permit_is_fetched_before_the_service_is_made_ready() {
    let (script, mut service) = limited(1, 1);
    let held = service.limiter().try_acquire().unwrap();
    let mut call = Task::new(service.call(7));
    call.expect_pending();
    assert_eq!(script.readiness_counts().polls, 0);
    drop(held);
    call.expect_pending();
    assert_eq!(script.readiness_counts().polls, 1);
}

#[test]
fn an_error_of_readiness_is_passed_on_and_holds_nothing() {
    let (script, mut service) = limited(1, 0);
    script.fail_readiness("broken");
    let Poll::Ready(Err(Error::Service(error))) = poll_ready(&mut service) else {
        panic!("it has to fail");
    };
    assert_eq!(error, "broken");
    assert_eq!(in_flight(&service.limiter()), (0, 0));

    script.work().finish(0, Ok(8));
    assert_eq!(Task::new(service.call(7)).expect_ready().unwrap(), 8);
}

#[test]
fn an_error_of_readiness_after_the_admission_lets_the_next_one_in() {
    let (script, mut service) = limited(1, 2);
    let held = service.limiter().try_acquire().unwrap();
    let mut first = Task::new(service.call(1));
    let mut second = Task::new(service.call(2));
    first.expect_pending();
    second.expect_pending();

    script.fail_readiness("broken");
    drop(held);
    assert!(matches!(
        first.expect_ready(),
        Err(Error::Service("broken"))
    ));
    assert!(second.is_woken());
    script.work().finish(0, Ok(8));
    assert_eq!(second.expect_ready().unwrap(), 8);
    assert_eq!(script.requests(), [2]);
    assert_eq!(in_flight(&service.limiter()), (0, 0));
}

#[test]
fn closed_it_is_ready_and_rejects() {
    let (script, mut service) = limited(1, 1);
    script.set_ready_at_once(0);
    service.limiter().close();
    expect_ready(&mut service);
    let error = Task::new(service.call(7)).expect_ready().unwrap_err();
    assert_eq!(error.rejection().unwrap().reason(), Reason::Closed);
    assert_eq!(script.readiness_counts().polls, 0);
}

#[test]
fn the_order_of_calls_counts_and_not_that_of_polls() {
    let (script, mut service) = limited(1, 2);
    let held = service.limiter().try_acquire().unwrap();
    let mut first = Task::new(service.call(1));
    let mut second = Task::new(service.call(2));
    second.expect_pending();
    drop(held);
    second.expect_pending();
    first.expect_pending();
    assert_eq!(script.requests(), [1]);
}

#[test]
fn all_services_of_a_layer_share_one_limit() {
    let script: Script<u32, u32, &str> = Script::new();
    let layer = ConcurrencyLimitLayer::new(1);
    let mut one = layer.layer(script.service());
    let mut other = layer.clone().layer(script.service());
    let mut third = ConcurrencyLimitLayer::from(layer.limiter()).layer(script.service());

    let _running = one.call(1);
    assert!(Task::new(other.call(2)).expect_ready().is_err());
    assert!(Task::new(third.call(3)).expect_ready().is_err());
    assert_eq!(third.limiter().snapshot(), one.limiter().snapshot());
}

#[test]
fn the_wrapped_service_can_be_reached() {
    let mut service = ConcurrencyLimit::new("wrapped", 1);
    assert_eq!(*service.get_ref(), "wrapped");
    *service.get_mut() = "changed";
    assert_eq!(service.into_inner(), "changed");
}
