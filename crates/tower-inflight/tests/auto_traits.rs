//! What signatures hide: auto traits, `Unpin`, sizes.

use std::any::type_name;
use std::cell::Cell;
use std::future::Ready;
use std::marker::PhantomPinned;
use std::rc::Rc;

use tower::{Layer, Service, ServiceExt, service_fn};
use tower_inflight::builder::{
    AdaptiveAimdBuilder, ConcurrencyLimitBuilder, KeyedLimitBuilder, LimiterBuilder,
    PriorityQueueBuilder,
};
use tower_inflight::future::{Acquire, Drained, KeyedDrained, Measuring, ResponseFuture, Run};
use tower_inflight::ticketing::Prioritized;
use tower_inflight::{
    Adaptive, AdaptiveAimdLayer, ConcurrencyLimit, ConcurrencyLimitLayer, ConcurrencyLimitOptions,
    Error, Fallback, FallbackLayer, KeyedLimit, KeyedLimitLayer, KeyedLimiter, KeyedPermit,
    Limiter, Permit, PriorityQueue, PriorityQueueLayer, Rejected, Rejection,
};

type Priority = fn(&u32) -> i32;
type Respond = fn(u32) -> Ready<Result<u32, &'static str>>;
type Inner = tower::util::ServiceFn<Respond>;
type Key = fn(&u32) -> String;
type StandIn = tower::util::ServiceFn<fn(Rejected<u32>) -> Ready<Result<u32, &'static str>>>;
type AnyRequest = tower::util::ServiceFn<fn(PhantomPinned) -> Ready<Result<u32, &'static str>>>;

fn send_sync<T: Send + Sync + 'static>() {}
fn unpin<T: Unpin>() {}
fn clone<T: Clone>() {}

#[test]
fn all_is_send_and_sync_if_its_parts_are() {
    send_sync::<Limiter>();
    send_sync::<Permit>();
    send_sync::<Rejection>();
    send_sync::<Error<&str>>();
    send_sync::<ConcurrencyLimitOptions>();
    send_sync::<ConcurrencyLimitLayer>();
    send_sync::<ConcurrencyLimit<Inner>>();
    send_sync::<PriorityQueueLayer<Prioritized<Priority>>>();
    send_sync::<PriorityQueue<Inner, Prioritized<Priority>>>();
    send_sync::<LimiterBuilder>();
    send_sync::<ConcurrencyLimitBuilder>();
    send_sync::<PriorityQueueBuilder<Priority>>();
    send_sync::<ResponseFuture<Inner, u32>>();
    send_sync::<Acquire>();
    send_sync::<Drained>();
    send_sync::<Run<Ready<()>>>();
    send_sync::<AdaptiveAimdLayer>();
    send_sync::<AdaptiveAimdBuilder>();
    send_sync::<Adaptive<Inner>>();
    send_sync::<ResponseFuture<Inner, u32, Measuring<()>>>();
    send_sync::<KeyedLimiter<String>>();
    send_sync::<KeyedPermit<String>>();
    send_sync::<KeyedLimitBuilder<String, Key>>();
    send_sync::<KeyedLimitLayer<String, Key>>();
    send_sync::<KeyedLimit<Inner, String, Key>>();
    send_sync::<KeyedDrained<String>>();
    send_sync::<Acquire<KeyedPermit<String>>>();
    send_sync::<FallbackLayer<ConcurrencyLimitLayer, StandIn>>();
    send_sync::<Fallback<ConcurrencyLimit<Inner>, StandIn>>();
    all_of(&Fallen::call);
}

type Fallen = Fallback<ConcurrencyLimit<Inner>, StandIn>;

fn all_of<F: Send + Sync>(_: &impl Fn(&mut Fallen, u32) -> F) {}

#[test]
fn handles_layers_and_services_are_cloned() {
    clone::<Limiter>();
    clone::<ConcurrencyLimitLayer>();
    clone::<ConcurrencyLimit<Inner>>();
    clone::<PriorityQueueLayer<Prioritized<Priority>>>();
    clone::<PriorityQueue<Inner, Prioritized<Priority>>>();
    clone::<KeyedLimiter<String>>();
    clone::<KeyedLimitLayer<String, Key>>();
    clone::<KeyedLimit<Inner, String, Key>>();
    clone::<Fallen>();
}

#[test]
fn a_future_is_unpin_if_that_of_the_service_is() {
    unpin::<Acquire>();
    unpin::<Drained>();
    unpin::<Permit>();
    unpin::<ResponseFuture<AnyRequest, PhantomPinned>>();
    unpin::<Run<Ready<()>>>();
}

/// Nothing has to be `Send` or `Sync`.
#[tokio::test]
async fn a_local_service_will_do() {
    let calls = Rc::new(Cell::new(0));
    let counted = Rc::clone(&calls);
    let local = service_fn(move |request: Rc<str>| {
        counted.set(counted.get() + 1);
        std::future::ready(Ok::<_, Rc<str>>(request))
    });
    let service = ConcurrencyLimitLayer::new(1).layer(local);
    assert_eq!(&*service.oneshot("local".into()).await.unwrap(), "local");
    assert_eq!(calls.get(), 1);
}

/// Sizes that every call pays for: the service is moved by each clone, the
/// future by each call.
#[test]
fn what_moves_is_small() {
    at_most::<Limiter>(size_of::<usize>());
    at_most::<ConcurrencyLimit<Inner>>(size_of::<Inner>() + 16);
    at_most::<Rejection>(40);
    at_most::<Acquire>(48);
    at_most::<ResponseFuture<Inner, u32>>(56);
}

#[expect(clippy::print_stdout, reason = "`--nocapture` shows the sizes")]
#[track_caller]
fn at_most<T>(most: usize) {
    let (size, name) = (size_of::<T>(), type_name::<T>());
    println!("{size} of at most {most} bytes: {name}");
    assert!(size <= most, "{name} takes {size} bytes");
}
