//! Bodies that are dropped anywhere, panic anywhere and tell lies.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Body, Frame, SizeHint};
use inflight_test::{Task, count_allocations, poll_once};
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready};
use tower::{Layer, Service, ServiceBuilder, service_fn};
use tower_inflight::http::{PermitBody, UntilBody, by_status};
use tower_inflight::{AdaptiveAimdLayer, ConcurrencyLimitLayer, Limiter, Ticket};

use crate::bodies::{Piece, data, pieces, poll};
use crate::panicking::expect_panic;

/// Where a body panics.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Where {
    Nowhere,
    End,
    Frame,
    Size,
    Drop,
}

/// A body of one piece, which panics once.
struct Mine {
    place: Mutex<Where>,
    is_sent: bool,
}

impl Mine {
    fn new(place: Where) -> Self {
        Self {
            place: Mutex::new(place),
            is_sent: false,
        }
    }

    fn step_on(&self, here: Where) {
        let mut place = self.place.lock().unwrap();
        if *place == here {
            *place = Where::Nowhere;
            drop(place);
            panic!("stepped on {here:?}");
        }
    }
}

impl Body for Mine {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Piece>> {
        self.step_on(Where::Frame);
        self.is_sent = true;
        Poll::Ready(Some(Ok(data())))
    }

    fn is_end_stream(&self) -> bool {
        if self.is_sent {
            self.step_on(Where::End);
        }
        self.is_sent
    }

    fn size_hint(&self) -> SizeHint {
        self.step_on(Where::Size);
        SizeHint::with_exact(u64::MAX)
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        self.step_on(Where::Drop);
    }
}

async fn held<B: Body>(limiter: &Limiter, body: B) -> PermitBody<B> {
    let body = Arc::new(Mutex::new(Some(body)));
    let limit = ConcurrencyLimitLayer::from(limiter.clone()).with_hold(UntilBody);
    let mut service = limit.layer(service_fn(move |_: Request<()>| {
        let response = Response::new(body.lock().unwrap().take().unwrap());
        async { Ok::<_, Infallible>(response) }
    }));
    service.call(Request::new(())).await.unwrap().into_body()
}

#[track_caller]
fn expect_whole(limiter: &Limiter) {
    let snapshot = limiter.snapshot();
    assert_eq!((snapshot.in_flight, snapshot.queued), (0, 0));
    let all = Ticket::new().with_weight(u32::try_from(snapshot.limit).unwrap());
    assert!(limiter.try_acquire_with(all).is_ok());
}

#[tokio::test]
async fn a_body_that_panics_where_it_is_polled_gives_the_permit_back_at_that_moment() {
    for place in [Where::Frame, Where::End, Where::Drop] {
        let limiter = Limiter::queued(1, 1);
        let mut body = held(&limiter, Mine::new(place)).await;
        let mut next = spawn(limiter.acquire());
        assert_pending!(next.poll());
        expect_panic(|| poll(&mut body));
        assert!(next.is_woken(), "{place:?}, and the body is still there");
        drop(assert_ready!(next.poll()).unwrap());
        drop(body);
        expect_whole(&limiter);
    }
}

#[tokio::test]
async fn one_that_panics_as_it_is_dropped_gives_it_back_too() {
    for polls in 0..=1 {
        let limiter = Limiter::new(1);
        let (sender, body) = pieces();
        let mine = Mine::new(Where::Drop);
        let body = Both(body, mine);
        let mut body = held(&limiter, body).await;
        for _ in 0..polls {
            sender.send(Ok(data())).unwrap();
            assert!(poll(&mut body).is_ready());
        }
        assert_eq!(limiter.snapshot().in_flight, 1);
        expect_panic(|| drop(body));
        expect_whole(&limiter);
    }
}

/// The first of two, while the second waits to be dropped.
struct Both<A, B>(A, B);

impl<A: Body + Unpin, B: Unpin> Body for Both<A, B> {
    type Data = A::Data;
    type Error = A::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<A::Data>, A::Error>>> {
        Pin::new(&mut self.0).poll_frame(cx)
    }
}

#[tokio::test]
async fn a_lie_about_the_size_is_passed_on_and_changes_nothing() {
    let limiter = Limiter::new(1);
    let mut body = held(&limiter, Mine::new(Where::Nowhere)).await;
    assert_eq!(body.size_hint().exact(), Some(u64::MAX));
    assert_eq!(limiter.snapshot().in_flight, 1);
    assert!(poll(&mut body).is_ready());
    assert_eq!(body.size_hint().exact(), Some(0));
    expect_whole(&limiter);

    let body = held(&limiter, Mine::new(Where::Size)).await;
    expect_panic(|| body.size_hint());
    assert_eq!(limiter.snapshot().in_flight, 1, "it can still be sent");
    drop(body);
    expect_whole(&limiter);
}

#[tokio::test]
async fn nothing_is_lost_wherever_a_body_is_dropped() {
    for polls in 0..=20 {
        for ends in [None, Some(5), Some(6)] {
            let limiter = Limiter::queued(1, 1);
            let (sender, body) = pieces();
            let mut body = held(&limiter, body).await;
            let mut next = spawn(limiter.acquire());
            assert_pending!(next.poll());
            let mut sender = Some(sender);
            for step in 0..polls {
                let (piece, is_last) = match ends {
                    Some(5) if step == 5 => (Some(Frame::trailers(HeaderMap::new())), true),
                    Some(6) if step == 6 => (None, true),
                    _ => ((step % 2 == 0).then(data), false),
                };
                match (piece, &sender) {
                    (Some(piece), Some(to)) => to.send(Ok(piece)).unwrap(),
                    _ if is_last => sender = None,
                    _ => (),
                }
                let _ = poll(&mut body);
                if is_last {
                    break;
                }
            }
            let is_over = ends.is_some_and(|end| polls > end);
            assert_eq!(next.is_woken(), is_over, "{polls} polls of {ends:?}");
            drop(body);
            assert!(next.is_woken());
            drop(assert_ready!(next.poll()).unwrap());
            expect_whole(&limiter);
            // What polls so much has to let others run at times.
            tokio::task::yield_now().await;
        }
    }
}

#[test]
fn a_body_may_be_dropped_on_another_thread_when_its_runtime_is_gone() {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
    };
    let limiter = Limiter::queued(1, 1);
    let (_sender, body) = pieces();
    let first = runtime();
    let mut body = first.block_on(held(&limiter, body));
    first.block_on(async { assert_pending!(poll(&mut body)) });
    drop(first);
    let mut next = Task::new(limiter.acquire());
    next.expect_pending();
    std::thread::spawn(move || drop(body)).join().unwrap();
    assert!(next.is_woken());
    drop(next.expect_ready().unwrap());
    expect_whole(&limiter);
}

#[tokio::test]
async fn each_of_nested_limits_gets_its_permit_back_with_the_same_last_piece() {
    let outer = ConcurrencyLimitLayer::new(1).with_hold(UntilBody);
    let middle = AdaptiveAimdLayer::builder()
        .classify(by_status)
        .hold(UntilBody.with_handle())
        .build()
        .unwrap();
    let inner = ConcurrencyLimitLayer::new(1).with_hold(UntilBody.with_handle());
    let limiters = [outer.limiter(), middle.limiter(), inner.limiter()];
    let numbers = || {
        limiters
            .each_ref()
            .map(|limiter| limiter.snapshot().in_flight)
    };
    for is_dropped in [false, true] {
        let mut service = ServiceBuilder::new()
            .layer(outer.clone())
            .layer(middle.clone())
            .layer(inner.clone())
            .service(service_fn(async |_: Request<()>| {
                Ok::<_, Infallible>(Response::new(Mine::new(Where::Nowhere)))
            }));
        let response = service.call(Request::new(())).await.unwrap();
        assert_eq!(numbers(), [1, 1, 1]);
        let mut body = response.into_body();
        if is_dropped {
            drop(body);
        } else {
            assert!(poll(&mut body).is_ready());
            assert!(body.is_end_stream());
        }
        assert_eq!(numbers(), [0, 0, 0]);
    }
    limiters.iter().for_each(expect_whole);
}

#[test]
fn a_permit_that_goes_along_with_a_body_allocates_and_leaves_nothing() {
    let limit = ConcurrencyLimitLayer::new(1).with_hold(UntilBody);
    let mut service = limit.layer(service_fn(|_: Request<()>| {
        std::future::ready(Ok::<_, Infallible>(Response::new(Mine::new(
            Where::Nowhere,
        ))))
    }));
    let mut round = || {
        let mut call = service.call(Request::new(()));
        let Poll::Ready(Ok(response)) = poll_once(&mut call) else {
            panic!("it is ready at once");
        };
        let mut body = response.into_body();
        let mut cx = Context::from_waker(std::task::Waker::noop());
        assert!(Pin::new(&mut body).poll_frame(&mut cx).is_ready());
    };
    round();
    let allocations = count_allocations(|| (0..1_000).for_each(|_| round())).1;
    assert_eq!((allocations.count, allocations.retained), (0, 0));
}
