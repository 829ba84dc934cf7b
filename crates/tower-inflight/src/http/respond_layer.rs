use std::fmt;
use std::time::Duration;

use http::Response;
use tower_layer::Layer;

#[cfg(feature = "tonic")]
use super::Grpc;
use super::{Plain, Respond, RetryAfter};
use crate::Rejection;

/// Turns the rejections of the limiter below it into responses.
///
/// Put it directly around a limiter. What is left is the service's own error,
/// `Infallible` in axum and tonic, and no `HandleErrorLayer` is needed. Each of
/// several nested limiters needs one of its own.
///
/// Where it is missing, or stands inside the limiter, the compiler says of
/// axum's `layer` that `Infallible: From<Error<_>>` is not satisfied.
/// With a [`fallback`](crate::FallbackLayer) it is needed all the same.
///
/// What a client is told by default says [`response`](super::response): 503, or
/// 429 for a limit of its own key, with the reason, and to come back in a
/// second. [`with`](Self::with) tells it anything else:
///
/// ```
/// use axum::{Router, body::Body, routing::get};
/// use http::{Request, Response, StatusCode, header::CONTENT_TYPE};
/// use tower::ServiceExt;
/// use tower_inflight::ConcurrencyLimitLayer;
/// use tower_inflight::http::RespondLayer;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let respond = RespondLayer::with(|rejection| {
///     Response::builder()
///         .status(StatusCode::SERVICE_UNAVAILABLE)
///         .header(CONTENT_TYPE, "application/json")
///         .body(format!(r#"{{"error":"{}"}}"#, rejection.reason()))
///         .expect("the parts are valid")
/// });
/// let limit = ConcurrencyLimitLayer::new(1);
/// let limiter = limit.limiter();
/// let app = Router::new()
///     .route("/", get(async || "here you are"))
///     .layer((respond, limit));
///
/// let held = limiter.try_acquire()?;
/// let response = app.oneshot(Request::new(Body::empty())).await?;
/// assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
/// let body = axum::body::to_bytes(response.into_body(), 100).await?;
/// assert_eq!(body, r#"{"error":"limit_reached"}"#);
/// # drop(held);
/// # Ok(())
/// # }
/// ```
///
/// The closure has all that the [`Rejection`] knows. How large a limit is, and
/// what it is called, helps an attacker more than a client; leave it out.
#[derive(Clone, Copy)]
pub struct RespondLayer<A = Plain> {
    answer: A,
}

impl RespondLayer {
    /// Answers with [`response`](super::response).
    ///
    /// The body of the service has to be made from a `&'static str`, as those
    /// of axum and `http-body-util`'s `Full` are.
    pub fn new() -> Self {
        Self { answer: Plain }
    }
}

#[cfg(feature = "tonic")]
impl RespondLayer<Grpc> {
    /// Answers in band, with the [`Status`](tonic::Status) that the rejection
    /// converts into: `RESOURCE_EXHAUSTED`, or `UNAVAILABLE` once the limiter
    /// is closed.
    ///
    /// An error out of a layer would reach the client as something else. One
    /// service keeps the name by which tonic routes to it if the layers are
    /// put on with tonic's own extension:
    ///
    /// ```
    /// use tonic::service::LayerExt;
    /// use tower::ServiceBuilder;
    /// use tower_inflight::ConcurrencyLimitLayer;
    /// use tower_inflight::http::RespondLayer;
    ///
    /// # fn on<S: Clone>(search: S) -> impl Sized {
    /// let limited = ServiceBuilder::new()
    ///     .layer(RespondLayer::grpc())
    ///     .layer(ConcurrencyLimitLayer::queued(10, 20))
    ///     .named_layer(search);
    /// # limited
    /// # }
    /// # let _ = on(());
    /// ```
    pub fn grpc() -> Self {
        Self { answer: Grpc }
    }
}

impl<F> RespondLayer<F> {
    /// Answers with what `answer` makes of the rejection.
    ///
    /// The body that it gives has to convert into that of the service: a
    /// `String` will do for axum's.
    pub fn with<R>(answer: F) -> Self
    where
        F: Fn(Rejection) -> Response<R>,
    {
        Self { answer }
    }
}

impl<A> RespondLayer<A> {
    /// Tells the client to come back after what `after` says, in whole
    /// seconds, rounded up; `None` tells it nothing.
    ///
    /// Clients that keep to it come back together. Spread them where they are
    /// many.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use tower_inflight::{Reason, http::RespondLayer};
    ///
    /// let respond = RespondLayer::new().retry_after(|rejection| match rejection.reason() {
    ///     Reason::TooHeavy => None,
    ///     Reason::Closed => Some(Duration::from_secs(30)),
    ///     _ => Some(Duration::from_secs(5)),
    /// });
    /// # let _ = respond;
    /// ```
    pub fn retry_after<F>(self, after: F) -> RespondLayer<RetryAfter<A, F>>
    where
        F: Fn(Rejection) -> Option<Duration>,
    {
        RespondLayer {
            answer: RetryAfter::new(self.answer, after),
        }
    }
}

impl Default for RespondLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl<S, A: Clone> Layer<S> for RespondLayer<A> {
    type Service = Respond<S, A>;

    fn layer(&self, inner: S) -> Self::Service {
        Respond::new(inner, self.answer.clone())
    }
}

impl<A> fmt::Debug for RespondLayer<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RespondLayer").finish_non_exhaustive()
    }
}
