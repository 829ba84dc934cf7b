use std::convert::Infallible;

use axum::error_handling::HandleErrorLayer;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use axum::{BoxError, Router};
use tower::ServiceBuilder;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower::load_shed::LoadShedLayer;
use tower_inflight::{
    AdaptiveAimdLayer, AimdOptions, ConcurrencyLimitLayer, ConfigError, Error, Limiter, Outcome,
    PriorityQueueLayer,
};

use super::bounds::Bounds;
use super::name::Contender;
use crate::overload::client::PRIORITY;

/// The header of a 503 that names the reason.
pub(crate) const REJECTED: &str = "x-rejected";

/// A router behind a contender.
#[derive(Debug)]
pub(crate) struct Guarded {
    pub(crate) router: Router,
    /// What limits it, if it is one of ours.
    pub(crate) limiter: Option<Limiter>,
}

impl Contender {
    /// Puts this contender's limit in front of every route of `router`.
    ///
    /// tower's `ConcurrencyLimitLayer` is no contender. It makes one semaphore
    /// for each service that it wraps, and axum wraps anew for each request, so
    /// on a router it limits nothing; `GlobalConcurrencyLimitLayer` shares one.
    pub(crate) fn guard(self, router: Router, bounds: Bounds) -> Result<Guarded, ConfigError> {
        let stock = GlobalConcurrencyLimitLayer::new(bounds.limit);
        match self {
            Self::NoLimit => Ok(router.into()),
            Self::Stock => Ok(router.layer(stock).into()),
            // One stack: an axum route is always ready, so as layers of their
            // own the shedding would never hear of the limit.
            Self::StockLoadShed => Ok(router
                .layer(
                    ServiceBuilder::new()
                        .layer(HandleErrorLayer::new(shed))
                        .layer(LoadShedLayer::new())
                        .layer(stock),
                )
                .into()),
            Self::Line => line(router, bounds),
            Self::Priority => priority_line(router, bounds),
            Self::Adaptive => adaptive(router, bounds),
        }
    }
}

impl From<Router> for Guarded {
    fn from(router: Router) -> Self {
        let limiter = None;
        Self { router, limiter }
    }
}

fn line(router: Router, bounds: Bounds) -> Result<Guarded, ConfigError> {
    let limit = ConcurrencyLimitLayer::builder()
        .max_concurrency(bounds.limit)
        .queue_limit(bounds.queue)
        .queue_timeout(bounds.queue_timeout)
        .name("report")
        .build()?;
    let limiter = Some(limit.limiter());
    let router = router.layer((HandleErrorLayer::new(rejected), limit));
    Ok(Guarded { router, limiter })
}

fn priority_line(router: Router, bounds: Bounds) -> Result<Guarded, ConfigError> {
    let limit = PriorityQueueLayer::builder(priority)
        .max_concurrency(bounds.limit)
        .queue_limit(bounds.queue)
        .queue_timeout(bounds.queue_timeout)
        .name("report")
        .build()?;
    let limiter = Some(limit.limiter());
    let router = router.layer((HandleErrorLayer::new(rejected), limit));
    Ok(Guarded { router, limiter })
}

/// It has to find its limit, and so `bounds.limit` is not used.
fn adaptive(router: Router, bounds: Bounds) -> Result<Guarded, ConfigError> {
    let limit = AdaptiveAimdLayer::builder()
        .options(AimdOptions::guarded())
        .classify(classify)
        .queue_limit(bounds.queue)
        .queue_timeout(bounds.queue_timeout)
        .name("report")
        .build()?;
    let limiter = Some(limit.limiter());
    let router = router.layer((HandleErrorLayer::new(rejected), limit));
    Ok(Guarded { router, limiter })
}

/// A handler that fails answers all the same: only the status tells.
fn classify(result: &Result<Response, Infallible>) -> Outcome {
    match result {
        Ok(response) if response.status().is_server_error() => Outcome::Overload,
        _ => Outcome::Success,
    }
}

/// The client of this experiment is its application too, so its word is taken.
/// A public service sets the header itself, once it knows who asks.
fn priority(request: &Request) -> i32 {
    let priority = request.headers().get(PRIORITY);
    i32::from(priority.is_some_and(|priority| priority == "high"))
}

async fn rejected(error: Error<Infallible>) -> (StatusCode, HeaderMap) {
    match error {
        Error::Rejected(rejection) => unavailable(rejection.reason().as_str()),
        Error::Service(never) => match never {},
    }
}

async fn shed(_: BoxError) -> (StatusCode, HeaderMap) {
    unavailable("overloaded")
}

fn unavailable(reason: &'static str) -> (StatusCode, HeaderMap) {
    let mut headers = HeaderMap::new();
    headers.insert(REJECTED, HeaderValue::from_static(reason));
    (StatusCode::SERVICE_UNAVAILABLE, headers)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::routing::get;
    use tokio::sync::Barrier;
    use tower::limit::ConcurrencyLimitLayer as StockLayer;

    use super::*;
    use crate::overload::arrivals::Inquiry;
    use crate::overload::client::{Answer, Client};
    use crate::overload::server::Server;

    /// Its one route answers when `callers` of its requests run at once.
    fn meeting(callers: usize) -> Router {
        let barrier = Arc::new(Barrier::new(callers));
        let meet = async move || _ = barrier.wait().await;
        Router::new().route("/report/{store}/{stores}", get(meet))
    }

    #[tokio::test]
    async fn the_stock_layer_of_one_lets_eight_run_at_once_on_a_router() {
        let router = meeting(8).layer(StockLayer::new(1));
        let server = Server::start(router, Arc::default()).await.unwrap();
        let client = Client::new(server.address());
        let requests = (0..8).map(|store| {
            let client = client.clone();
            let inquiry = Inquiry {
                store,
                stores: 1,
                high_priority: false,
            };
            async move { client.report(inquiry).await.unwrap() }
        });
        let answers = requests
            .collect::<tokio::task::JoinSet<_>>()
            .join_all()
            .await;
        assert_eq!(answers, vec![Answer::Report; 8]);
    }
}
