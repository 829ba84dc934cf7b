//! Many callers on many threads, who go away at any moment.

use std::convert::Infallible;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::BodyExt;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tokio::task::{JoinSet, yield_now};
use tower::{Layer, Service, service_fn};
use tower_inflight::http::{PermitHandle, UntilBody};
use tower_inflight::{PriorityQueueLayer, Rejected, Ticket};

const LIMIT: usize = 4;

/// Counts how much weight is inside, in handlers, bodies and jobs.
#[derive(Clone, Default)]
struct Inside(Arc<Counts>);

#[derive(Default)]
struct Counts {
    now: AtomicUsize,
    most: AtomicUsize,
}

/// One who is inside, and leaves when it is dropped.
struct Stay {
    inside: Inside,
    weight: usize,
}

impl Inside {
    fn enter(&self, weight: usize) -> Arc<Stay> {
        let now = self.0.now.fetch_add(weight, Ordering::SeqCst) + weight;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        let inside = self.clone();
        Arc::new(Stay { inside, weight })
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        self.inside.0.now.fetch_sub(self.weight, Ordering::SeqCst);
    }
}

/// A body of some pieces, between which others run.
struct Rows {
    left: usize,
    /// `None` for the answer of a fallback.
    _stay: Option<Arc<Stay>>,
}

impl Body for Rows {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(left) = self.left.checked_sub(1) else {
            return Poll::Ready(None);
        };
        self.left = left;
        if left % 2 == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"row")))))
    }
}

/// What one asks for.
#[derive(Clone, Copy)]
struct Wish {
    weight: u32,
    priority: i32,
    is_exempt: bool,
    rows: usize,
    claims: bool,
    panics: bool,
}

fn wish(request: &Request<Wish>) -> Wish {
    *request.body()
}

async fn work(inside: Inside, request: Request<Wish>) -> Result<Response<Rows>, Infallible> {
    let wish = wish(&request);
    // What is exempt is not counted.
    let stay = (!wish.is_exempt).then(|| inside.enter(wish.weight as usize));
    yield_now().await;
    if wish.claims {
        let handle: &PermitHandle = request.extensions().get().unwrap();
        let (claim, stay) = (handle.hold().unwrap(), stay.clone());
        tokio::spawn(async move {
            yield_now().await;
            drop(stay);
            drop(claim);
        });
    }
    yield_now().await;
    if wish.panics {
        resume_unwind(Box::new("as it was told"));
    }
    Ok(Response::new(Rows {
        left: wish.rows,
        _stay: stay,
    }))
}

async fn stale(_: Rejected<Request<Wish>>) -> Result<Response<Rows>, Infallible> {
    yield_now().await;
    Ok(Response::new(Rows {
        left: 2,
        _stay: None,
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_permit_is_lost_and_none_is_there_twice() {
    let layer = PriorityQueueLayer::builder(|request: &Request<Wish>| wish(request).priority)
        .max_concurrency(LIMIT)
        .queue_limit(6)
        .weight(|request: &Request<Wish>| wish(request).weight)
        .exempt(|request: &Request<Wish>| wish(request).is_exempt)
        .hold(UntilBody.with_handle())
        .build()
        .unwrap();
    let limiter = layer.limiter();
    let inside = Inside::default();
    let counted = inside.clone();
    let service = layer
        .fallback(service_fn(stale))
        .layer(service_fn(move |request| work(counted.clone(), request)));

    let mut callers = JoinSet::new();
    for seed in 0..16 {
        let mut service = service.clone();
        callers.spawn(async move {
            let mut random = SmallRng::seed_from_u64(seed);
            for _ in 0..200 {
                let wish = Wish {
                    weight: random.random_range(1..=2),
                    priority: random.random_range(-1..=1),
                    is_exempt: random.random_ratio(1, 8),
                    rows: random.random_range(0..8),
                    claims: random.random_ratio(1, 3),
                    panics: random.random_ratio(1, 50),
                };
                let call = service.call(Request::new(wish));
                let patience = random.random_range(0..24);
                let caller = tokio::spawn(async move {
                    let response = call.await.unwrap();
                    response.into_body().collect().await.unwrap();
                });
                for _ in 0..patience {
                    yield_now().await;
                }
                caller.abort();
                let _ = caller.await;
            }
        });
    }
    callers.join_all().await;
    limiter.drained().await;
    assert_eq!(inside.0.most.load(Ordering::SeqCst), LIMIT);
    assert_eq!(inside.0.now.load(Ordering::SeqCst), 0);
    let all = Ticket::new().with_weight(u32::try_from(LIMIT).unwrap());
    assert!(limiter.try_acquire_with(all).is_ok());
}
