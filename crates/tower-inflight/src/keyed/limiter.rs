use std::fmt;
use std::hash::Hash;

use inflight_core::{ConfigError, KeyLoad, KeyedHost, KeyedSnapshot, Snapshot, Ticket};
use tokio::sync::watch;

use super::handle::KeyedHandle;
use super::options::{parse_key_limit, parse_total_limit, total_is_adaptive};
use super::{KeyedDrained, KeyedLimitBuilder, KeyedLimitOptions, KeyedPermit};
use crate::adaptive::Controller;
use crate::door::Door;
use crate::events::Events;
use crate::future::{Acquire, Run};
use crate::limit::blocking;
use crate::{Adaptation, LimitChange, Rejection};

/// Decides who may run now, who waits, and who is turned away, by a limit for
/// each key and one for all of them.
///
/// It is a handle: clones share the limits and the lines, and so does the layer
/// that was built with it. Without a layer it guards the scarce step inside a
/// handler, or work on threads that know no runtime. It is built by
/// [`KeyedLimitLayer::builder`](crate::KeyedLimitLayer::builder), or, where
/// there is no layer, by [`builder`](Self::builder).
///
/// ```
/// use tower_inflight::{KeyedLimiter, Reason, Rejection};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A hundred at a time, two of them under one key.
/// let limiter: KeyedLimiter<&str> =
///     KeyedLimiter::builder().max_concurrency(100).key_max_concurrency(2).build_limiter()?;
///
/// let one = limiter.acquire("noisy").await?;
/// let two = limiter.acquire("noisy").await?;
/// let rejection = limiter.try_acquire("noisy").unwrap_err();
/// assert_eq!(rejection.reason(), Reason::KeyLimit);
/// assert_eq!(limiter.run("quiet", async { 6 * 7 }).await?, 42);
///
/// drop((one, two));
/// assert_eq!(limiter.snapshot().keys, 0);
/// # Ok(())
/// # }
/// ```
///
/// # Fairness
///
/// Inside a key as in a [`Limiter`](crate::Limiter): first come, first served,
/// or by priority if so built. Between keys by
/// [`Fairness`](crate::Fairness). One whose key is full holds nobody of
/// another key back.
pub struct KeyedLimiter<K> {
    handle: KeyedHandle<K>,
}

impl<K> KeyedLimiter<K> {
    /// Has all the settings; end with
    /// [`build_limiter`](KeyedLimitBuilder::build_limiter).
    pub fn builder() -> KeyedLimitBuilder<K> {
        KeyedLimitBuilder::new(())
    }

    /// How many keys something runs or waits under. The one that calls under
    /// too many keys share does not count.
    pub fn keys(&self) -> usize {
        self.handle.gate().keys()
    }

    /// The settings that it was built with; nothing changes them.
    pub fn options(&self) -> KeyedLimitOptions {
        *self.handle.options()
    }

    pub(super) fn from_handle(handle: KeyedHandle<K>) -> Self {
        Self { handle }
    }

    pub(super) fn into_handle(self) -> KeyedHandle<K> {
        self.handle
    }
}

impl<K: Eq + Hash> KeyedLimiter<K> {
    /// Asks for a permit under `key`, and waits for it in the line if there is
    /// one.
    ///
    /// The place is taken **now**, not at the first poll: a future that is
    /// made early and awaited late keeps others waiting.
    ///
    /// # Errors
    ///
    /// The future resolves to a [`Rejection`] if the call is turned away.
    pub fn acquire(&self, key: K) -> Acquire<KeyedPermit<K>> {
        self.acquire_with(key, Ticket::new())
    }

    /// Does what [`acquire`](Self::acquire) does, with a weight, a priority or
    /// a longest wait.
    ///
    /// # Errors
    ///
    /// The future resolves to a [`Rejection`] if the call is turned away.
    pub fn acquire_with(&self, key: K, ticket: Ticket) -> Acquire<KeyedPermit<K>> {
        Acquire::new(&self.handle, self.handle.enter(key, ticket))
    }

    /// Takes a permit under `key` if there is one to be had at once; never
    /// waits, and passes nobody who does.
    ///
    /// # Errors
    ///
    /// The [`Rejection`].
    pub fn try_acquire(&self, key: K) -> Result<KeyedPermit<K>, Rejection> {
        self.try_acquire_with(key, Ticket::new())
    }

    /// Does what [`try_acquire`](Self::try_acquire) does, with a weight or a
    /// priority.
    ///
    /// # Errors
    ///
    /// The [`Rejection`].
    pub fn try_acquire_with(&self, key: K, ticket: Ticket) -> Result<KeyedPermit<K>, Rejection> {
        match self.handle.try_arrive(key, ticket) {
            Ok(permit) => Ok(KeyedPermit::admitted(permit)),
            Err(refusal) => Err(self.handle.desk().tell_at_once(refusal)),
        }
    }

    /// Asks for a permit under `key`, and parks the thread while it waits.
    ///
    /// It waits in the same line as everybody else, and needs no runtime. On a
    /// thread of a runtime it blocks whatever else would run there, perhaps the
    /// very task that it waits for.
    ///
    /// # Errors
    ///
    /// The [`Rejection`].
    pub fn acquire_blocking(&self, key: K) -> Result<KeyedPermit<K>, Rejection> {
        let arrived = self.handle.enter(key, Ticket::new());
        blocking::wait(&self.handle, arrived)
    }

    /// Runs `work` with a permit under `key`, which ends with it.
    ///
    /// The place is taken **now**; `work` is not polled before it is admitted.
    ///
    /// # Errors
    ///
    /// The future resolves to a [`Rejection`] if the work is turned away.
    pub fn run<F: IntoFuture>(&self, key: K, work: F) -> Run<F::IntoFuture, KeyedPermit<K>> {
        Run::new(self.acquire(key), work.into_future())
    }

    /// Changes the total limit, at once and without blocking.
    ///
    /// Raising it admits as many waiters as now fit. Lowering it takes nothing
    /// back: more may be in flight until enough of it has ended.
    ///
    /// # Errors
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1; if the total is
    /// adaptive, since it is its algorithm's. The limit is then what it was.
    pub fn set_limit(&self, max_concurrency: usize) -> Result<(), ConfigError> {
        if self.handle.controller().is_some() {
            return Err(total_is_adaptive(max_concurrency));
        }
        let limit = parse_total_limit(max_concurrency)?;
        let before = self.snapshot().total.limit;
        self.handle.set_limit(limit);
        Events::limit_set(self.name(), before, limit.get());
        Ok(())
    }

    /// Changes the limit of one key in the same way, **for as long as anything
    /// runs or waits under it**: a key that was forgotten comes back with the
    /// limit of its plan.
    ///
    /// It says whether there was such a key; if not, nothing was changed. What
    /// should last belongs in
    /// [`key_plan`](crate::builder::KeyedLimitBuilder::key_plan).
    ///
    /// # Errors
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1.
    pub fn set_key_limit(&self, key: &K, max_concurrency: usize) -> Result<bool, ConfigError> {
        let limit = parse_key_limit(max_concurrency)?;
        Ok(self.handle.set_key_limit(key, limit))
    }

    /// Turns away all who wait and all who come later; what runs ends
    /// normally. It cannot be opened again.
    pub fn close(&self) {
        let (was_closed, snapshot) = (self.is_closed(), self.snapshot());
        self.handle.close();
        if !was_closed {
            Events::closed(self.name(), &snapshot.total);
        }
    }

    /// Resolves when nothing is in flight and nobody waits, now or at any
    /// moment after its first poll.
    ///
    /// It does not close the limiter.
    pub fn drained(&self) -> KeyedDrained<K> {
        KeyedDrained::new(self.handle.drained())
    }

    /// The numbers of the total, and how many keys there are.
    pub fn snapshot(&self) -> KeyedSnapshot {
        self.handle.gate().snapshot()
    }

    /// The numbers of one key; `None` if nothing runs or waits under it.
    pub fn key(&self, key: &K) -> Option<Snapshot> {
        self.handle.gate().key(key)
    }

    /// The keys under which most runs and waits, the busiest first, no more
    /// than `most`.
    ///
    /// It looks at every key, while callers who have to wait are held up: it is
    /// for pages and tests, never for metrics, whose labels must not grow with
    /// the callers. A `Clone` of the key that calls the limiter is a deadlock.
    pub fn top(&self, most: usize) -> Vec<KeyLoad<K>>
    where
        K: Clone,
    {
        self.handle.gate().top(most)
    }

    /// Whether [`close`](Self::close) was called.
    pub fn is_closed(&self) -> bool {
        self.handle.gate().is_closed()
    }

    /// What the algorithm of an adaptive total has learnt; nothing of a fixed
    /// one.
    pub fn adaptation(&self) -> Option<Adaptation> {
        let controller = self.handle.controller()?;
        Some(controller.adaptation(self.handle.desk()))
    }

    /// Lets the changes of an adaptive total be waited for; those of a fixed
    /// one are not told.
    ///
    /// It is `None` before the first change, keeps the latest, and is closed
    /// when the limiter is gone.
    pub fn limit_changes(&self) -> Option<watch::Receiver<Option<LimitChange>>> {
        self.handle.controller().map(Controller::subscribe)
    }

    /// The name that it was given.
    pub fn name(&self) -> Option<&'static str> {
        self.handle.desk().name()
    }

    /// How often a hook or an algorithm has panicked, or a hook had to be given
    /// up because the caller could not wait for it.
    pub fn hook_failures(&self) -> u64 {
        self.handle.desk().hook_failures()
    }
}

impl<K> Clone for KeyedLimiter<K> {
    fn clone(&self) -> Self {
        Self::from_handle(self.handle.clone())
    }
}

/// The kind of limiter and its settings, for example
/// `KeyedConcurrencyLimit(100, 10 a key, queue 50/250ms, 5 a key)`.
impl<K> fmt::Display for KeyedLimiter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.options().fmt(f)
    }
}

impl<K> fmt::Debug for KeyedLimiter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedLimiter")
            .field("options", self.handle.options())
            .field("gate", self.handle.gate())
            .finish_non_exhaustive()
    }
}
