use std::fmt;
use std::hint::black_box;
use std::time::Duration;

use crate::clock::timed;

/// One way to do one thing, ready to be timed.
///
/// What has to be there first (a full limiter, a line of 100,000) is made when
/// the subject is made, or outside the timed part of a run.
pub struct Subject(Box<dyn FnMut(u64) -> Duration>);

impl Subject {
    /// Times `operation`, done again and again, with the end of what it returns.
    pub fn repeated<T>(mut operation: impl FnMut() -> T + 'static) -> Self {
        Self::timed_inside(move |times| {
            timed(|| {
                for _ in 0..times {
                    // In place: to move what it answers is no part of a call.
                    black_box(&operation());
                }
            })
        })
    }

    /// Times `act` alone, on what `next` has prepared for it.
    pub(crate) fn stepwise<T: 'static>(
        mut next: impl FnMut() -> T + 'static,
        mut act: impl FnMut(&T) + 'static,
    ) -> Self {
        let mut steps = Vec::new();
        Self::timed_inside(move |times| {
            steps.clear();
            steps.extend((0..times).map(|_| next()));
            timed(|| steps.iter().for_each(&mut act))
        })
    }

    /// Lets `run` do the given number of operations and time what counts of them.
    pub fn timed_inside(run: impl FnMut(u64) -> Duration + 'static) -> Self {
        Self(Box::new(run))
    }

    /// Keeps `held` until the subject is dropped: a permit, say, that makes a limiter full.
    #[must_use = "the subject is in what is returned"]
    pub fn keeping(self, held: impl Sized + 'static) -> Self {
        let Self(mut run) = self;
        Self(Box::new(move |times| {
            let _held = &held;
            run(times)
        }))
    }

    /// Does one untimed operation for each of `callers`, who came in order so far: after that their
    /// memory is as mixed as it gets.
    pub(crate) fn settled(mut self, callers: usize) -> Self {
        self.run(callers as u64);
        self
    }

    /// Does `times` operations and returns the time they took.
    pub fn run(&mut self, times: u64) -> Duration {
        (self.0)(times)
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").finish_non_exhaustive()
    }
}
