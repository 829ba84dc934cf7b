use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::state::{End, State};
use super::{Job, WorkCounts};

/// Starts jobs, and decides when and how each of them ends.
///
/// Jobs are numbered from 0 in the order in which they start. What becomes of
/// a job may be said before it starts. Clones are handles to the same work.
///
/// ```
/// use inflight_test::{Task, Work};
///
/// let work = Work::new();
/// let mut first = Task::new(work.start());
/// let mut second = Task::new(work.start());
/// first.expect_pending();
///
/// work.finish(1, "second");
/// assert_eq!(second.expect_ready(), "second");
/// drop(first);
///
/// let counts = work.counts();
/// assert_eq!((counts.peak, counts.finished, counts.dropped), (2, 1, 1));
/// ```
pub struct Work<T> {
    state: Arc<Mutex<State<T>>>,
}

impl<T> Work<T> {
    /// Makes work of which nothing has started.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the next job. It counts as running from here on, polled or not.
    ///
    /// # Panics
    ///
    /// If [`panic_at_start`](Self::panic_at_start) said so.
    #[track_caller]
    pub fn start(&self) -> Job<T> {
        self.start_after(|_| {})
    }

    /// Ends a job with a value, which it gives at its next poll, and wakes it.
    ///
    /// # Panics
    ///
    /// If the job was told how to end before, or has ended.
    #[track_caller]
    pub fn finish(&self, job: usize, value: T) {
        self.end(job, End::Value(value));
    }

    /// Ends a job with a panic at its next poll, and wakes it.
    ///
    /// # Panics
    ///
    /// If the job was told how to end before, or has ended.
    #[track_caller]
    pub fn panic(&self, job: usize) {
        self.end(job, End::Panic);
    }

    /// Lets a job panic at a poll, the first of which is 1, unless it has
    /// ended by then.
    pub fn panic_at_poll(&self, job: usize, poll: usize) {
        self.lock().entry(job).panic_at_poll = Some(poll);
    }

    /// Lets [`start`](Self::start) panic instead of starting this job. The
    /// number is used up.
    pub fn panic_at_start(&self, job: usize) {
        self.lock().entry(job).panic_at_start = true;
    }

    /// Runs `hook` when a job is destroyed, however it ended.
    pub fn on_drop(&self, job: usize, hook: impl FnOnce() + Send + 'static) {
        self.lock().entry(job).on_drop = Some(Box::new(hook));
    }

    /// What has become of the jobs so far.
    pub fn counts(&self) -> WorkCounts {
        self.lock().counts
    }

    /// The numbers of the jobs that were polled, in the order of their first
    /// polls.
    pub fn first_polls(&self) -> Vec<usize> {
        self.lock().first_polls.clone()
    }

    /// Starts the next job, or panics, after `note` has heard its number.
    #[track_caller]
    pub(crate) fn start_after(&self, note: impl FnOnce(usize)) -> Job<T> {
        let (number, panics) = self.lock().start();
        note(number);
        assert!(!panics, "job {number} panics at its start, as scripted");
        Job::new(self.clone(), number)
    }

    /// Ends a job with a value unless the script says something else of it.
    pub(crate) fn finish_unless_scripted(&self, job: usize, value: T) {
        let mut state = self.lock();
        let entry = state.entry(job);
        if entry.panic_at_poll.is_none() {
            // Refused if it was told how to end before: that stands.
            let told = entry.end(End::Value(value));
            drop(state);
            if let Ok(Some(waker)) = told {
                waker.wake();
            }
        }
    }

    #[track_caller]
    fn end(&self, job: usize, end: End<T>) {
        let told = self.lock().entry(job).end(end);
        let Ok(waker) = told else {
            panic!("job {job} was told how to end before");
        };
        // The lock is gone: a waker may run anything, this work included.
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No panic is raised while the lock is held, so the state is whole
        // even if some test has panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Work<T> {
    fn clone(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
        }
    }
}

impl<T> Default for Work<T> {
    fn default() -> Self {
        Self {
            state: Arc::new(Mutex::new(State::new())),
        }
    }
}

impl<T> fmt::Debug for Work<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Work").field(&self.counts()).finish()
    }
}
