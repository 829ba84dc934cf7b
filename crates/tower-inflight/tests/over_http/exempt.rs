//! What is exempt teaches an adaptive limit nothing, whatever holds its permit.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use tower::util::ServiceFn;
use tower::{Layer, Service, service_fn};
use tower_inflight::algorithm::{Algorithm, Limit, Sample};
use tower_inflight::http::UntilBody;
use tower_inflight::ticketing::Exempting;
use tower_inflight::{AdaptiveLayer, UntilResponse};

type Answer = Ready<Result<Response<Full<Bytes>>, Infallible>>;
type Inner = ServiceFn<fn(Request<()>) -> Answer>;
type Limit1 = AdaptiveLayer<(), Exempting<fn(&Request<()>) -> bool>>;

/// Counts the samples that it is given.
#[derive(Clone, Default)]
struct Samples(Arc<AtomicUsize>);

impl Algorithm for Samples {
    fn limit(&self) -> Limit {
        Limit::ONE
    }

    fn observe(&mut self, _: &Sample) -> Limit {
        self.0.fetch_add(1, Ordering::Relaxed);
        Limit::ONE
    }
}

/// How many samples there are after a call that is exempt, and after another
/// that is not.
async fn samples<L>(hold: impl FnOnce(Limit1) -> L) -> [usize; 2]
where
    L: Layer<Inner, Service: Service<Request<()>>>,
{
    let samples = Samples::default();
    let limit = AdaptiveLayer::new(samples.clone());
    let limit = limit.with_exempt((|request| request.uri() == "/health") as fn(&Request<()>) -> _);
    let answer: fn(Request<()>) -> Answer = |_| ready(Ok(Response::new(Full::from("answer"))));
    let mut service = hold(limit).layer(service_fn(answer));
    let mut counts = [0; 2];
    for (path, count) in ["/health", "/"].into_iter().zip(&mut counts) {
        let request = Request::get(path).body(()).unwrap();
        assert!(service.call(request).await.is_ok());
        *count = samples.0.load(Ordering::Relaxed);
    }
    counts
}

#[tokio::test]
async fn what_is_exempt_is_no_sample_whatever_holds_its_permit() {
    assert_eq!(samples(|limit| limit).await, [0, 1]);
    assert_eq!(samples(|limit| limit.with_hold(UntilBody)).await, [0, 1]);
    let handle = UntilResponse.with_handle();
    assert_eq!(samples(|limit| limit.with_hold(handle)).await, [0, 1]);
    let both = UntilBody.with_handle();
    assert_eq!(samples(|limit| limit.with_hold(both)).await, [0, 1]);
}
