use std::collections::BTreeMap;
use std::fmt;

use inflight_core::{ConfigError, Host, Snapshot, Ticket};
use tokio::sync::watch;

use super::{Acquire, Drained, LimiterBuilder, Permit, Run, blocking};
use crate::adaptive::Controller;
use crate::door::Door;
use crate::events::Events;
use crate::handle::Handle;
use crate::options::{limit_is_adaptive, parse_max_concurrency};
use crate::{Adaptation, LimitChange, LimiterOptions, Rejection};

/// Decides who may run now, who waits, and who is turned away.
///
/// It is a handle: clones share one limit and one line, and so does every
/// layer that is made from it. Without a layer it guards the scarce step
/// inside a handler, or work on threads that know no runtime.
///
/// A permit is asked for in the order of the *calls* of `acquire` and its
/// like, whichever future is polled first.
///
/// ```
/// use tower_inflight::{Limiter, Rejection};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Rejection> {
/// // Four reports are rendered at a time, eight may wait.
/// let limiter = Limiter::builder().max_concurrency(4).queue_limit(8).build().unwrap();
///
/// let permit = limiter.acquire().await?;
/// assert_eq!(limiter.snapshot().available, 3);
/// drop(permit);
///
/// assert_eq!(limiter.run(async { 6 * 7 }).await?, 42);
/// assert_eq!(limiter.snapshot().available, 4);
/// # Ok(())
/// # }
/// ```
///
/// # Fairness
///
/// First come, first served, or by priority if so built. Nobody passes a
/// waiter of its own or a higher priority, [`try_acquire`](Self::try_acquire)
/// included, and not even where it would fit and the waiter does not: a heavy
/// caller at the head of the line cannot starve.
///
/// # Testing
///
/// Time is tokio's, so a paused clock governs timeouts inside its runtime. A
/// thread outside a runtime reads the operating system's clock.
#[derive(Clone)]
pub struct Limiter {
    handle: Handle,
}

impl Limiter {
    /// A limiter of `max_concurrency` that rejects at once what does not fit.
    ///
    /// # Panics
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1.
    #[track_caller]
    pub fn new(max_concurrency: usize) -> Self {
        Self::queued(max_concurrency, 0)
    }

    /// A limiter of `max_concurrency` at which `queue_limit` callers may wait,
    /// first come, first served and as long as it takes.
    ///
    /// # Panics
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1.
    #[track_caller]
    pub fn queued(max_concurrency: usize, queue_limit: usize) -> Self {
        let built = Self::builder()
            .max_concurrency(max_concurrency)
            .queue_limit(queue_limit)
            .build();
        match built {
            Ok(limiter) => limiter,
            Err(error) => panic!("{error}"),
        }
    }

    /// Has all the settings.
    pub fn builder() -> LimiterBuilder {
        LimiterBuilder::default()
    }

    /// Asks for a permit, and waits for it in the line if there is one.
    ///
    /// The place is taken **now**, not at the first poll: a future that is
    /// made early and awaited late keeps others waiting.
    ///
    /// # Errors
    ///
    /// The future resolves to a [`Rejection`] if the call is turned away.
    #[inline]
    pub fn acquire(&self) -> Acquire {
        self.acquire_with(Ticket::new())
    }

    /// Does what [`acquire`](Self::acquire) does, with a weight, a priority or
    /// a longest wait.
    ///
    /// # Errors
    ///
    /// The future resolves to a [`Rejection`] if the call is turned away.
    #[inline]
    pub fn acquire_with(&self, ticket: Ticket) -> Acquire {
        Acquire::new(&self.handle, self.handle.enter(ticket))
    }

    /// Takes a permit if there is one to be had at once; never waits, and
    /// passes nobody who does.
    ///
    /// # Errors
    ///
    /// The [`Rejection`], as [`LimitReached`](crate::Reason::LimitReached)
    /// where waiting would have helped.
    pub fn try_acquire(&self) -> Result<Permit, Rejection> {
        self.try_acquire_with(Ticket::new())
    }

    /// Does what [`try_acquire`](Self::try_acquire) does, with a weight or a
    /// priority.
    ///
    /// # Errors
    ///
    /// The [`Rejection`].
    pub fn try_acquire_with(&self, ticket: Ticket) -> Result<Permit, Rejection> {
        match self.handle.try_arrive(ticket) {
            Ok(permit) => Ok(Permit::admitted(permit)),
            Err(refusal) => Err(self.handle.desk().tell_at_once(refusal)),
        }
    }

    /// Asks for a permit, and parks the thread while it waits.
    ///
    /// It waits in the same line as everybody else, and needs no runtime. On a
    /// thread of a runtime it blocks whatever else would run there, perhaps the
    /// very task that it waits for.
    ///
    /// # Errors
    ///
    /// The [`Rejection`].
    pub fn acquire_blocking(&self) -> Result<Permit, Rejection> {
        self.acquire_blocking_with(Ticket::new())
    }

    /// Does what [`acquire_blocking`](Self::acquire_blocking) does, with a
    /// weight, a priority or a longest wait.
    ///
    /// # Errors
    ///
    /// The [`Rejection`].
    pub fn acquire_blocking_with(&self, ticket: Ticket) -> Result<Permit, Rejection> {
        blocking::wait(&self.handle, self.handle.enter(ticket))
    }

    /// Runs `work` with a permit, which ends with it.
    ///
    /// The place is taken **now**; `work` is not polled before it is admitted.
    /// What it does when it is *made* it does now, too: `run(sleep(..))` sleeps
    /// in the line already, `run(async { sleep(..).await })` does not.
    ///
    /// # Errors
    ///
    /// The future resolves to a [`Rejection`] if the work is turned away.
    pub fn run<F: IntoFuture>(&self, work: F) -> Run<F::IntoFuture> {
        Run::new(self.acquire(), work.into_future())
    }

    /// Changes the limit, at once and without blocking.
    ///
    /// Raising it admits as many waiters as now fit. Lowering it takes nothing
    /// back: more may be in flight until enough of it has ended.
    ///
    /// # Errors
    ///
    /// If `max_concurrency` is 0 or above 2<sup>31</sup> - 1; if the limiter is
    /// adaptive, since its limit is its algorithm's. The limit is then what it
    /// was.
    pub fn set_limit(&self, max_concurrency: usize) -> Result<(), ConfigError> {
        if self.handle.controller().is_some() {
            return Err(limit_is_adaptive(max_concurrency));
        }
        let limit = parse_max_concurrency(max_concurrency)?;
        let before = self.snapshot().limit;
        self.handle.set_limit(limit);
        Events::limit_set(self.name(), before, limit.get());
        Ok(())
    }

    /// Turns away all who wait and all who come later; what runs ends
    /// normally. It cannot be opened again.
    pub fn close(&self) {
        let (was_closed, snapshot) = (self.is_closed(), self.snapshot());
        self.handle.close();
        if !was_closed {
            Events::closed(self.name(), &snapshot);
        }
    }

    /// Resolves when nothing is in flight and nobody waits, now or at any
    /// moment after its first poll.
    ///
    /// It does not close the limiter. While anybody watches, each call takes
    /// the limiter's lock.
    ///
    /// An accept loop that takes a permit *before* it accepts holds one while it
    /// idles, and so keeps this from resolving: end the loop first. The chapter
    /// on [shutdown](crate::guide::shutdown) has the whole recipe.
    pub fn drained(&self) -> Drained {
        Drained::new(self.handle.drained())
    }

    /// The numbers as they are now, all of one moment.
    pub fn snapshot(&self) -> Snapshot {
        self.handle.gate().snapshot()
    }

    /// How many wait at each priority at which anybody does.
    ///
    /// It is empty unless the limiter goes by priority. It walks the line's
    /// priorities under the lock: it is for pages and tests.
    pub fn queued_by_priority(&self) -> BTreeMap<i32, usize> {
        self.handle.gate().queued_by_priority()
    }

    /// Whether [`close`](Self::close) was called.
    pub fn is_closed(&self) -> bool {
        self.handle.gate().is_closed()
    }

    /// What the algorithm of an adaptive limiter has learnt; nothing of a
    /// fixed one.
    pub fn adaptation(&self) -> Option<Adaptation> {
        let controller = self.handle.controller()?;
        Some(controller.adaptation(self.handle.desk()))
    }

    /// Lets an adaptive limiter's changes of the limit be waited for; those of
    /// a fixed one are not told.
    ///
    /// It is `None` before the first change, keeps the latest, and is closed
    /// when the limiter is gone.
    pub fn limit_changes(&self) -> Option<watch::Receiver<Option<LimitChange>>> {
        self.handle.controller().map(Controller::subscribe)
    }

    /// The settings that it was built with; neither
    /// [`set_limit`](Self::set_limit) nor an algorithm changes them.
    pub fn options(&self) -> LimiterOptions {
        *self.handle.options()
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

    pub(crate) fn from_handle(handle: Handle) -> Self {
        Self { handle }
    }

    pub(crate) fn into_handle(self) -> Handle {
        self.handle
    }
}

/// The kind of limiter and its settings, for example
/// `ConcurrencyLimit(10, queue 20/250ms)`.
impl fmt::Display for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.options().fmt(f)
    }
}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limiter")
            .field("name", &self.name())
            .field("options", self.handle.options())
            .field("snapshot", &self.snapshot())
            .finish()
    }
}
