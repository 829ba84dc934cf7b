//! Bodies of requests.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Request, Response};
use http_body_util::BodyExt;
use tokio_test::assert_pending;
use tokio_test::task::spawn;
use tower::{Layer, Service, service_fn};
use tower_inflight::ConcurrencyLimitLayer;
use tower_inflight::http::UntilBody;

use crate::bodies::Watched;

// F121
#[tokio::test]
async fn a_request_that_waits_is_not_read() {
    let limit = ConcurrencyLimitLayer::queued(1, 50).with_hold(UntilBody);
    let limiter = limit.limiter();
    let mut service = limit.layer(service_fn(async |request: Request<_>| {
        let upload: Watched<_, _> = request.into_body();
        let bytes = upload.collect().await.unwrap().to_bytes();
        Ok::<_, Infallible>(Response::new(http_body_util::Full::new(bytes)))
    }));

    let read = Arc::new(AtomicUsize::new(0));
    let held = limiter.try_acquire().unwrap();
    let mut uploads = Vec::new();
    for _ in 0..50 {
        let read = Arc::clone(&read);
        let upload = Watched {
            on_poll: move || {
                read.fetch_add(1, Ordering::Relaxed);
            },
            on_drop: || (),
        };
        let mut call = spawn(service.call(Request::new(upload)));
        assert_pending!(call.poll());
        uploads.push(call);
    }
    assert_eq!(limiter.snapshot().queued, 50);
    assert_eq!(read.load(Ordering::Relaxed), 0);

    drop(held);
    for upload in uploads {
        drop(upload.await.unwrap());
    }
    assert_eq!(read.load(Ordering::Relaxed), 50);
}
