use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::Work;
use super::state::{End, Step};

/// One piece of [`Work`]: a future that is ready when the work says so.
///
/// Dropping it before is the job's end too, and is counted as such.
#[must_use = "a job that is dropped at once has been cancelled"]
pub struct Job<T> {
    work: Work<T>,
    number: usize,
}

impl<T> Job<T> {
    pub(super) fn new(work: Work<T>, number: usize) -> Self {
        Self { work, number }
    }

    /// Which job of its work it is, counted from 0.
    pub fn number(&self) -> usize {
        self.number
    }
}

impl<T> Future for Job<T> {
    type Output = T;

    /// # Panics
    ///
    /// If the script says so, or if the job has ended before.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let step = self.work.lock().poll(self.number, context.waker());
        // The lock is gone here, so a panic leaves the work usable.
        match step {
            Step::End(End::Panic) => panic!("job {} panics, as scripted", self.number),
            Step::End(End::Value(value)) => Poll::Ready(value),
            Step::Pending(_replaced) => Poll::Pending,
            Step::PolledAgain => panic!("job {} was polled after its end", self.number),
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        // Taken apart under the lock, dropped and run outside it: all of it
        // is the test's own code.
        let (hook, rest) = self.work.lock().discard(self.number);
        drop(rest);
        if let Some(hook) = hook {
            hook();
        }
    }
}

impl<T> fmt::Debug for Job<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Job").field(&self.number).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{CountingWaker, Task};

    #[track_caller]
    fn assert_panics<R>(text: &str, action: impl FnOnce() -> R) {
        let Err(panic) = catch_unwind(AssertUnwindSafe(action)) else {
            panic!("it did not panic");
        };
        let said = panic.downcast_ref::<String>().unwrap();
        assert!(said.contains(text), "{said:?} does not tell {text:?}");
    }

    #[test]
    fn a_job_ends_when_it_is_told_to_and_not_before() {
        let work = Work::new();
        let mut task = Task::new(work.start());
        task.expect_pending();
        task.expect_pending();
        assert!(!task.is_woken());
        work.finish(0, 7);
        assert_eq!(task.wakes(), 1);
        assert_eq!(work.counts().running, 1);
        assert_eq!(task.expect_ready(), 7);
        assert_eq!((work.counts().running, work.counts().alive), (0, 1));
        drop(task);
        assert_eq!((work.counts().finished, work.counts().alive), (1, 0));
        assert_eq!(work.counts().dropped, 0);
    }

    #[test]
    fn an_end_may_be_told_before_the_start() {
        let work = Work::new();
        work.finish(1, "later");
        let mut first = Task::new(work.start());
        assert_eq!(Task::new(work.start()).expect_ready(), "later");
        first.expect_pending();
    }

    #[test]
    fn an_end_is_told_once() {
        let work = Work::new();
        work.finish(0, 1);
        assert_panics("job 0 was told", || work.finish(0, 2));
        assert_eq!(Task::new(work.start()).expect_ready(), 1);
        assert_panics("job 0 was told", || work.panic(0));
    }

    #[test]
    fn a_job_panics_at_the_poll_it_was_told() {
        let work: Work<()> = Work::new();
        work.panic_at_poll(0, 2);
        let mut task = Task::new(work.start());
        task.expect_pending();
        assert_panics("job 0 panics", || task.poll());
        assert_panics("job 0 was polled after", || task.poll());
        drop(task);
        let counts = work.counts();
        assert_eq!((counts.panicked, counts.dropped, counts.running), (1, 0, 0));
    }

    #[test]
    fn a_panic_on_command_wakes_the_job() {
        let work: Work<()> = Work::new();
        let mut task = Task::new(work.start());
        task.expect_pending();
        work.panic(0);
        assert!(task.is_woken());
        assert_panics("job 0 panics", || task.poll());
    }

    #[test]
    fn a_start_that_panics_uses_its_number_up() {
        let work: Work<()> = Work::new();
        work.panic_at_start(0);
        assert_panics("job 0 panics at its start", || work.start());
        assert_eq!(work.start().number(), 1);
        let counts = work.counts();
        assert_eq!((counts.started, counts.panicked, counts.peak), (2, 1, 1));
    }

    #[test]
    fn the_peak_stays_when_the_jobs_are_gone() {
        let work: Work<()> = Work::new();
        drop((work.start(), work.start()));
        drop(work.start());
        let counts = work.counts();
        assert_eq!((counts.started, counts.peak, counts.dropped), (3, 2, 3));
    }

    #[test]
    fn first_polls_come_in_their_own_order() {
        let work: Work<()> = Work::new();
        let mut tasks = [(); 3].map(|()| Task::new(work.start()));
        for number in [2, 0, 2] {
            tasks[number].expect_pending();
        }
        assert_eq!(work.first_polls(), [2, 0]);
    }

    #[test]
    fn only_the_last_waker_is_kept() {
        let work = Work::new();
        let mut job = work.start();
        let (first, last) = (CountingWaker::new(), CountingWaker::new());
        for counter in [&first, &last] {
            let waker = counter.waker();
            let mut context = Context::from_waker(&waker);
            assert!(Pin::new(&mut job).poll(&mut context).is_pending());
        }
        assert_eq!((first.wakers(), last.wakers()), (0, 1));
        work.finish(0, ());
        assert_eq!((first.wakes(), last.wakes()), (0, 1));
    }

    #[test]
    fn the_drop_hook_runs_once_and_may_ask_the_work() {
        let work: Work<()> = Work::new();
        let alive = Arc::new(AtomicUsize::new(usize::MAX));
        work.on_drop(0, {
            let (work, alive) = (work.clone(), Arc::clone(&alive));
            move || alive.store(work.counts().alive, Ordering::Relaxed)
        });
        let mut task = Task::new(work.start());
        work.finish(0, ());
        task.expect_ready();
        assert_eq!(alive.load(Ordering::Relaxed), usize::MAX);
        drop(task);
        assert_eq!(alive.load(Ordering::Relaxed), 0);
    }
}
