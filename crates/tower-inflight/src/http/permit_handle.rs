use std::any::Any;
use std::fmt;
use std::sync::{Arc, Weak};

/// Lets work that outlives its request hold on to the permit: a websocket, a
/// task, a blocking job.
///
/// A limit that holds its permits [`with_handle`] puts one into the extensions
/// of each request that it admits; what it turns away, a fallback's request for
/// instance, has none of it. It is *weak*: by itself it prolongs nothing, however often it is cloned,
/// into responses or spans for instance. [`hold`](Self::hold) makes it strong.
/// That of a request which is exempt can be held like any other, and weighs
/// nothing.
///
/// ```
/// use axum::{Extension, Router, routing::get};
/// use tower_inflight::http::{PermitHandle, RespondLayer, UntilBody};
/// use tower_inflight::{ConcurrencyLimitLayer, UntilResponse};
///
/// async fn thumbnail(Extension(permit): Extension<PermitHandle>) -> String {
///     let permit = permit.hold();
///     let work = tokio::task::spawn_blocking(move || {
///         // Blocking work is not stopped when the client goes away.
///         let _permit = permit;
///         "a small picture".to_owned()
///     });
///     work.await.expect("it does not panic")
/// }
///
/// let limit = ConcurrencyLimitLayer::builder()
///     .max_concurrency(10)
///     .hold(UntilResponse.with_handle())
///     .build()?;
/// let app: Router = Router::new()
///     .route("/thumbnail", get(thumbnail))
///     .layer((RespondLayer::new(), limit));
/// # let _ = app;
/// # Ok::<(), tower_inflight::ConfigError>(())
/// ```
///
/// Where a request has gone through several such limits, the handle is that of
/// all of them.
///
/// [`with_handle`]: super::UntilBody::with_handle
#[derive(Clone)]
pub struct PermitHandle(Arc<[Weak<Part>]>);

/// Keeps what a [`PermitHandle`] held on to; dropping it gives that up.
///
/// The permit goes back when the request and all who hold it have ended.
#[must_use = "dropping a `HeldPermit` gives the permit up at once"]
pub struct HeldPermit(Vec<Arc<Part>>);

/// A permit of whatever limiter: all that can be done with it is to drop it.
type Part = dyn Any + Send + Sync;

impl PermitHandle {
    /// Of `permit` and of those that `outer`, the limits further out, have.
    pub(super) fn new<P>(permit: &Arc<P>, outer: Option<&Self>) -> Self
    where
        P: Send + Sync + 'static,
    {
        let outer = outer
            .into_iter()
            .flat_map(|handle| handle.0.iter().cloned());
        let weak: Weak<P> = Arc::downgrade(permit);
        Self(outer.chain([weak as Weak<Part>]).collect())
    }

    /// Holds on to the permit, until what comes back is dropped.
    ///
    /// `None` once the permit has gone back: the request has ended, with its
    /// body where the limit waits for that. Of several permits it holds those
    /// that are left.
    pub fn hold(&self) -> Option<HeldPermit> {
        let parts: Vec<_> = self.0.iter().filter_map(Weak::upgrade).collect();
        (!parts.is_empty()).then_some(HeldPermit(parts))
    }
}

impl fmt::Debug for PermitHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermitHandle").finish_non_exhaustive()
    }
}

impl fmt::Debug for HeldPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldPermit")
            .field("permits", &self.0.len())
            .finish()
    }
}
