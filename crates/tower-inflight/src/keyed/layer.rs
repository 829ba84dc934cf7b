use std::fmt;

use tower_layer::Layer;

use super::calls::Calls;
use super::total::FixedTotal;
use super::{KeyedLimit, KeyedLimitBuilder, KeyedLimiter};
use crate::fallback::fallback_setter;
use crate::hold::UntilResponse;

/// Bounds how many calls run at once **under each key**, and how many of all
/// keys together, in one admission.
///
/// The total protects the service; the limit of a key, a tenant for instance,
/// protects the others from it. A call runs when its key *and* the total have
/// room. One whose key is full waits without holding anything of the total, and
/// a free slot goes to the first waiter whose key has room: a noisy tenant with
/// ten thousand waiters takes no more than its own limit from the others.
///
/// ```
/// use tower::{Service, ServiceBuilder, service_fn};
/// use tower_inflight::{KeyedLimitLayer, Reason};
///
/// struct Query {
///     tenant: &'static str,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let layer = KeyedLimitLayer::builder(|query: &Query| query.tenant)
///     .max_concurrency(100) // of all tenants together
///     .key_max_concurrency(1) // of each
///     .name("search")
///     .build()?;
/// let limiter = layer.limiter();
/// let mut search = ServiceBuilder::new()
///     .layer(layer)
///     .service(service_fn(async |query: Query| Ok::<_, std::io::Error>(query.tenant)));
///
/// let _running = limiter.try_acquire("noisy")?;
/// assert_eq!(search.call(Query { tenant: "quiet" }).await?, "quiet");
/// let error = search.call(Query { tenant: "noisy" }).await.unwrap_err();
/// assert_eq!(error.rejection().unwrap().reason(), Reason::KeyLimit);
/// assert_eq!(
///     error.to_string(),
///     "concurrency limit `search` rejected the call: limit of its key reached (1 of 1 running)",
/// );
/// # Ok(())
/// # }
/// ```
///
/// # The key
///
/// `key` is a `Fn(&Request) -> K`, and any `K: Hash + Eq` will do. Name the
/// request type in the closure: `|request: &Request<Body>| ..`. The key is made
/// for every call, so make it cheap: a number, an `Arc<str>`, a header value.
/// Take it from what was *authenticated*: a client that may choose its key
/// chooses its limit.
///
/// A key costs memory while anything runs or waits under it, and nothing
/// afterwards. [`max_keys`](crate::KeyedLimitOptions::max_keys) bounds how many
/// there may be, and [`overflow`](crate::KeyedLimitOptions::overflow) says what
/// becomes of one more.
///
/// `Hash` runs under no lock, and nor does `Drop`. `Eq` runs under a lock of the
/// table: it must not call the limiter, and should not block, which holds up
/// calls under other keys. If `Hash` or `Eq` panics, the call does, and nothing
/// is lost; a panic of `Drop` is caught.
///
/// # Fairness
///
/// Inside a key nobody passes a waiter of its own or a higher priority, not even
/// where it would fit and the waiter does not. Between keys, by default, the
/// free slot of the total goes to the key whose caller arrived first; with
/// [`Fairness::RoundRobin`](crate::Fairness::RoundRobin) the keys take turns, in
/// proportion to their [shares](crate::KeyPlan::share), however many of their
/// callers wait.
///
/// # What refused
///
/// | reason | what was full | to a client |
/// |---|---|---|
/// | `key_limit`, `key_queue_full` | what its own key may have | 429 |
/// | `total_limit`, `total_queue_full` | what all may have | 503 |
/// | `too_many_keys` | the table | 503 |
///
/// [`Rejection::is_of_key`](crate::Rejection::is_of_key) tells them apart also
/// for a timeout, an eviction and a call that is too heavy.
pub struct KeyedLimitLayer<K, R, T = (), H = UntilResponse, M = FixedTotal> {
    limiter: KeyedLimiter<K>,
    calls: Calls<R, T, H, M>,
}

impl<K, R> KeyedLimitLayer<K, R> {
    /// Has all the settings; `key` is a `Fn(&Request) -> K`.
    pub fn builder<Request>(key: R) -> KeyedLimitBuilder<K, R>
    where
        R: Fn(&Request) -> K,
    {
        KeyedLimitBuilder::new(key)
    }

    /// Shares `limiter` with whoever else has a handle to it.
    pub fn with_limiter<Request>(limiter: KeyedLimiter<K>, key: R) -> Self
    where
        R: Fn(&Request) -> K,
    {
        Self::with_parts(limiter, Calls::new(key))
    }
}

impl<K, R, T, H, M> KeyedLimitLayer<K, R, T, H, M> {
    fallback_setter!();

    /// The limiter that the services of this layer share.
    pub fn limiter(&self) -> KeyedLimiter<K> {
        self.limiter.clone()
    }

    pub(super) fn with_parts(limiter: KeyedLimiter<K>, calls: Calls<R, T, H, M>) -> Self {
        Self { limiter, calls }
    }
}

impl<S, K, R, T, H, M> Layer<S> for KeyedLimitLayer<K, R, T, H, M>
where
    R: Clone,
    T: Clone,
    H: Clone,
    M: Clone,
{
    type Service = KeyedLimit<S, K, R, T, H, M>;

    fn layer(&self, inner: S) -> Self::Service {
        KeyedLimit::with_parts(inner, self.limiter(), self.calls.clone())
    }
}

impl<K, R, T, H, M> Clone for KeyedLimitLayer<K, R, T, H, M>
where
    R: Clone,
    T: Clone,
    H: Clone,
    M: Clone,
{
    fn clone(&self) -> Self {
        Self::with_parts(self.limiter(), self.calls.clone())
    }
}

impl<K, R, T, H, M> fmt::Display for KeyedLimitLayer<K, R, T, H, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limiter.fmt(f)
    }
}

impl<K, R, T, H, M> fmt::Debug for KeyedLimitLayer<K, R, T, H, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedLimitLayer")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}
