use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::CountingWaker;

/// A future that is polled by hand, with a waker that counts.
///
/// It keeps a future that has finished until the task is dropped, as an
/// executor may, so that a test can tell what ends with the answer from what
/// ends with the drop. Dropping the task drops the future: it cancels.
///
/// ```
/// use std::task::Poll;
///
/// use inflight_test::{Task, Work};
///
/// let work = Work::new();
/// let mut task = Task::new(work.start());
/// assert_eq!(task.poll(), Poll::Pending);
///
/// work.finish(0, "done");
/// assert!(task.is_woken());
/// assert_eq!(task.poll(), Poll::Ready("done"));
/// ```
pub struct Task<F> {
    counter: CountingWaker,
    wakes_at_last_poll: usize,
    polls: usize,
    future: Pin<Box<F>>,
}

impl<F: Future> Task<F> {
    /// Takes the future over, and does not poll it.
    pub fn new(future: F) -> Self {
        Self {
            counter: CountingWaker::new(),
            wakes_at_last_poll: 0,
            polls: 0,
            future: Box::pin(future),
        }
    }

    /// Polls the future once.
    pub fn poll(&mut self) -> Poll<F::Output> {
        self.wakes_at_last_poll = self.counter.wakes();
        self.polls += 1;
        let waker = self.counter.waker();
        self.future.as_mut().poll(&mut Context::from_waker(&waker))
    }

    /// Polls the future once and gives its answer.
    ///
    /// # Panics
    ///
    /// If the future is still pending.
    #[track_caller]
    pub fn expect_ready(&mut self) -> F::Output {
        match self.poll() {
            Poll::Ready(output) => output,
            Poll::Pending => panic!("the future is pending after {} polls", self.polls),
        }
    }

    /// Polls the future once, which must not be the last time.
    ///
    /// # Panics
    ///
    /// If the future is ready.
    #[track_caller]
    pub fn expect_pending(&mut self) {
        assert!(
            self.poll().is_pending(),
            "the future is ready at poll {}",
            self.polls
        );
    }

    /// Whether it has been woken since the last poll began.
    pub fn is_woken(&self) -> bool {
        self.counter.wakes() > self.wakes_at_last_poll
    }

    /// How often it has been woken in all.
    pub fn wakes(&self) -> usize {
        self.counter.wakes()
    }

    /// How often it has been polled in all.
    pub fn polls(&self) -> usize {
        self.polls
    }
}

impl<F> fmt::Debug for Task<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("polls", &self.polls)
            .field("wakes", &self.counter.wakes())
            .finish_non_exhaustive()
    }
}

/// Polls a future once with a waker that does nothing.
///
/// What it would wake stays asleep; where a wake-up matters, use [`Task`].
///
/// ```
/// use std::task::Poll;
///
/// let mut future = std::future::ready(7);
/// assert_eq!(inflight_test::poll_once(&mut future), Poll::Ready(7));
/// ```
pub fn poll_once<F: Future + Unpin + ?Sized>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// Wakes itself, and is ready at the third poll.
    fn third_time() -> impl Future<Output = usize> {
        let mut polls = 0;
        poll_fn(move |context| {
            polls += 1;
            if polls == 3 {
                return Poll::Ready(polls);
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
    }

    #[test]
    fn polls_and_wakes_are_counted() {
        let mut task = Task::new(third_time());
        assert!(!task.is_woken());
        task.expect_pending();
        task.expect_pending();
        assert_eq!((task.polls(), task.wakes()), (2, 2));
        assert_eq!(task.expect_ready(), 3);
        assert_eq!((task.polls(), task.wakes()), (3, 2));
    }

    #[test]
    fn a_poll_forgets_the_wakes_before_it() {
        let mut task = Task::new(third_time());
        task.expect_pending();
        assert!(task.is_woken(), "woken during the poll");
        task.expect_pending();
        task.expect_ready();
        assert!(!task.is_woken());
    }

    #[test]
    #[should_panic(expected = "pending after 1 polls")]
    fn a_pending_future_is_not_taken_for_ready() {
        Task::new(third_time()).expect_ready();
    }

    #[test]
    #[should_panic(expected = "ready at poll 1")]
    fn a_ready_future_is_not_taken_for_pending() {
        Task::new(std::future::ready(())).expect_pending();
    }
}
