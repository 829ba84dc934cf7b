use std::fmt;

use tower_layer::Layer;

use super::{Adaptive, AdaptiveAimdBuilder, AdaptiveLayer};
use crate::Limiter;
use crate::fallback::fallback_setter;
use crate::hold::UntilResponse;

/// Bounds how many calls run at once by a limit that follows what the service
/// can bear: one more after a healthy window, a tenth less after a congested
/// one.
///
/// # Say what overload is
///
/// By default each *error* is an overload. Where HTTP is served there are none
/// (the error is `Infallible`, and a failure is a response), so the rule would
/// go by latency alone. Tell it with `.classify(..)`, for which the feature
/// `http` has `by_status` and `by_grpc_status`, or with a closure:
///
/// ```
/// use std::convert::Infallible;
///
/// use http::{Request, Response};
/// use tower::{Service, ServiceBuilder, service_fn};
/// use tower_inflight::{AdaptiveAimdLayer, Outcome};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let layer = AdaptiveAimdLayer::builder()
///     .classify(|result: &Result<Response<String>, Infallible>| match result {
///         // A client's fault says nothing about the load.
///         Ok(response) if response.status().is_server_error() => Outcome::Overload,
///         Ok(_) => Outcome::Success,
///         Err(never) => match *never {},
///     })
///     .name("search")
///     .build()?;
/// let limiter = layer.limiter();
/// let mut search = ServiceBuilder::new()
///     .layer(layer)
///     .service(service_fn(|request: Request<()>| async move {
///         let mut response = Response::new(String::new());
///         if request.uri().path() == "/broken" {
///             *response.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE;
///         }
///         Ok(response)
///     }));
///
/// // A window ends with the first call that ends a second after it began.
/// search.call(Request::get("/broken").body(())?).await?;
/// tokio::time::advance(std::time::Duration::from_secs(1)).await;
/// search.call(Request::get("/").body(())?).await?;
/// assert_eq!(limiter.snapshot().limit, 9);
/// # Ok(())
/// # }
/// ```
///
/// | how a call ends | what the rule learns |
/// |---|---|
/// | a response | success, and the latency; or what the classifier says |
/// | an error: the service's own, a timeout *inside*, a limiter's rejection further in | overload; or what the classifier says |
/// | the service panics, or does not become ready | overload |
/// | its caller goes away: drops it, is stopped by a timeout *outside*, panics itself | only how much was in flight |
/// | this limiter rejects it | nothing: demand is no reason to lower the limit, or to raise it |
///
/// The latency is that of the work: it begins when the call is admitted, before
/// the service is made ready, and a wait in the line is not part of it.
///
/// # An example with numbers
///
/// The rule, its settings and its guards are those of
/// [`Aimd`](crate::algorithm::Aimd). Here a dependency that answered in 1 ms
/// needs 20 ms from some moment on. The limit falls from 100 to 45. By then
/// the baseline, which moves by a tenth of the way in each window, has come to
/// 10.9 ms; twice that is more than 20, and the limit stays:
///
/// ```
/// use std::time::Duration;
///
/// use tokio::time::sleep;
/// use tower::{Service, ServiceBuilder, service_fn};
/// use tower_inflight::AdaptiveAimdLayer;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let layer = AdaptiveAimdLayer::builder().initial_limit(100).max_limit(100).build()?;
/// let limiter = layer.limiter();
/// let mut service = ServiceBuilder::new().layer(layer).service(service_fn(|millis| async move {
///     sleep(Duration::from_millis(millis)).await;
///     Ok::<_, std::io::Error>(())
/// }));
///
/// service.call(1).await?;
/// sleep(Duration::from_secs(1)).await;
/// service.call(1).await?;
/// assert_eq!(limiter.adaptation().unwrap().baseline(), Some(Duration::from_millis(1)));
///
/// let mut limits = Vec::new();
/// for _ in 0..9 {
///     sleep(Duration::from_secs(1)).await;
///     service.call(20).await?;
///     limits.push(limiter.snapshot().limit);
/// }
/// assert_eq!(limits, [90, 81, 72, 64, 57, 51, 45, 45, 45]);
/// # Ok(())
/// # }
/// ```
///
/// # With a line
///
/// There is none unless you ask for it with `.queue_limit(..)`, and perhaps
/// `.queue_timeout(..)` and `.priority(..)`. A limit that rises wakes as many
/// as now fit, at once; one that falls takes nothing back, what runs ends
/// normally, and nobody is admitted until enough of it has.
///
/// # Where to put it
///
/// | order, the outermost first | what the rule sees |
/// |---|---|
/// | limit, then `timeout` | a call that takes too long is a failure. **Put it so.** |
/// | `timeout`, then limit | a call that takes too long is one that was dropped, and no sample: the slower the service, the better it looks. See [`censored_cancellations`](crate::AimdOptions::censored_cancellations) |
/// | `retry`, then limit | each attempt by itself. **Put it so.** |
/// | limit, then `retry` | all attempts, and the pauses between them, as one long call |
///
/// A call that never ends is never a sample: without a timeout inside, a
/// service that hangs fills the limit, and nothing lowers it.
///
/// # Fixed or adaptive
///
/// A fixed limit is the better choice where the capacity is known and stays.
/// What an adaptive one costs, and what it cannot see, is said in
/// [`algorithm`](crate::algorithm); read it before you trust one, and let it
/// run with [`monitor_only`](crate::AimdOptions::monitor_only) for a while.
///
/// # Permits taken by hand
///
/// [`Limiter::acquire`] and its like, [`Limiter::run`], and the other layers
/// made from the same limiter use the limit and are counted, but teach the
/// rule nothing, since nobody says how their work has ended. Say it with
/// [`Permit::measured`](crate::Permit::measured).
///
/// # Panics
///
/// A panic of the algorithm is counted in [`Limiter::hook_failures`] and goes
/// no further: the limit stays as it is and the permit goes back.
#[derive(Clone)]
pub struct AdaptiveAimdLayer<C = (), T = (), H = UntilResponse>(AdaptiveLayer<C, T, H>);

impl AdaptiveAimdLayer {
    /// The plain rule with its defaults: a limit between 1 and 100 that starts
    /// at 10 and moves once a second; what does not fit is rejected at once.
    #[expect(clippy::missing_panics_doc, reason = "a test builds it: it does not")]
    pub fn new() -> Self {
        let built = Self::builder().build();
        built.expect("the defaults are valid")
    }

    /// Has all the settings.
    pub fn builder() -> AdaptiveAimdBuilder {
        AdaptiveAimdBuilder::new()
    }
}

impl<C, T, H> AdaptiveAimdLayer<C, T, H> {
    fallback_setter!();

    /// The limiter that the services of this layer share.
    pub fn limiter(&self) -> Limiter {
        self.0.limiter()
    }

    pub(super) fn with_layer(layer: AdaptiveLayer<C, T, H>) -> Self {
        Self(layer)
    }
}

impl Default for AdaptiveAimdLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl<S, C: Clone, T: Clone, H: Clone> Layer<S> for AdaptiveAimdLayer<C, T, H> {
    type Service = Adaptive<S, C, T, H>;

    fn layer(&self, inner: S) -> Self::Service {
        self.0.layer(inner)
    }
}

impl<C, T, H> fmt::Display for AdaptiveAimdLayer<C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<C, T, H> fmt::Debug for AdaptiveAimdLayer<C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdaptiveAimdLayer")
            .field("limiter", &self.limiter())
            .finish_non_exhaustive()
    }
}
