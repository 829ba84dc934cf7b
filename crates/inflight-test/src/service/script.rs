use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::readiness::{Failure, Readiness};
use super::{ReadinessCounts, ScriptedService};
use crate::{Job, Work};

/// Says what the clones of a [`ScriptedService`] do, and knows what was done
/// to them.
///
/// At first every clone is ready at once and every call runs until
/// [`work`](Self::work) ends it. Calls are numbered from 0 in the order in
/// which they are made. Clones are handles to the same script.
///
/// ```
/// use std::task::{Context, Poll, Waker};
///
/// use inflight_test::{Script, Task};
/// use tower_service::Service;
///
/// let script: Script<&str, usize, &str> = Script::new();
/// let mut service = script.service();
/// let mut context = Context::from_waker(Waker::noop());
///
/// assert_eq!(service.poll_ready(&mut context), Poll::Ready(Ok(())));
/// let mut call = Task::new(service.call("question"));
/// call.expect_pending();
///
/// script.work().finish(0, Ok(42));
/// assert_eq!(call.expect_ready(), Ok(42));
/// assert_eq!(script.requests(), ["question"]);
/// ```
pub struct Script<Request, Response, Error> {
    shared: Arc<Shared<Request, Response, Error>>,
}

struct Shared<Request, Response, Error> {
    readiness: Mutex<Readiness<Error>>,
    // By the number of the call, since calls on other threads may be noted in
    // another order than they were numbered.
    requests: Mutex<BTreeMap<usize, Request>>,
    answer: Mutex<Option<Answer<Request, Response, Error>>>,
    work: Work<Result<Response, Error>>,
}

type Answer<Request, Response, Error> =
    Arc<dyn Fn(&Request) -> Result<Response, Error> + Send + Sync>;

impl<Request, Response, Error> Script<Request, Response, Error> {
    /// Makes a script for services that are always ready and never answer by
    /// themselves.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a service that follows this script and is not ready yet.
    pub fn service(&self) -> ScriptedService<Request, Response, Error> {
        ScriptedService::new(self.clone())
    }

    /// Sets how many clones may be ready at one time.
    ///
    /// A clone is ready from the poll that says so until it is called or
    /// dropped. A lower number takes no readiness back; a higher one wakes as
    /// many of those who wait, the longest waiting first.
    pub fn set_ready_at_once(&self, clones: usize) {
        let to_wake = self.readiness().set_places(clones);
        to_wake.wake();
    }

    /// Lets the next `poll_ready` of a clone that is not ready yet fail.
    pub fn fail_readiness(&self, error: Error) {
        let to_wake = self.readiness().fail(Failure::Error(error));
        to_wake.wake();
    }

    /// Lets the next `poll_ready` of a clone that is not ready yet panic.
    pub fn panic_in_readiness(&self) {
        let to_wake = self.readiness().fail(Failure::Panic);
        to_wake.wake();
    }

    /// Answers each later call at its first poll, unless the script says
    /// something else about that call.
    pub fn answer_with(
        &self,
        answer: impl Fn(&Request) -> Result<Response, Error> + Send + Sync + 'static,
    ) {
        *lock(&self.shared.answer) = Some(Arc::new(answer));
    }

    /// What the calls do: a job for each, under the number of the call.
    ///
    /// [`Work::panic_at_start`] makes `call` itself panic.
    pub fn work(&self) -> &Work<Result<Response, Error>> {
        &self.shared.work
    }

    /// What the service was called with, in the order of the calls.
    ///
    /// The script keeps every request for as long as it lives itself.
    pub fn requests(&self) -> Vec<Request>
    where
        Request: Clone,
    {
        lock(&self.shared.requests).values().cloned().collect()
    }

    /// What has become of the clones so far.
    pub fn readiness_counts(&self) -> ReadinessCounts {
        self.readiness().counts()
    }

    /// Starts the next call.
    #[track_caller]
    pub(super) fn start(&self, request: Request) -> Job<Result<Response, Error>> {
        let answer = lock(&self.shared.answer).clone();
        let answer = answer.map(|answer| answer(&request));
        let note = |number| {
            lock(&self.shared.requests).insert(number, request);
        };
        let job = self.shared.work.start_after(note);
        if let Some(answer) = answer {
            self.shared
                .work
                .finish_unless_scripted(job.number(), answer);
        }
        job
    }

    pub(super) fn readiness(&self) -> MutexGuard<'_, Readiness<Error>> {
        lock(&self.shared.readiness)
    }
}

impl<Request, Response, Error> Clone for Script<Request, Response, Error> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<Request, Response, Error> Default for Script<Request, Response, Error> {
    fn default() -> Self {
        Self {
            shared: Arc::new(Shared {
                readiness: Mutex::new(Readiness::new()),
                requests: Mutex::new(BTreeMap::new()),
                answer: Mutex::new(None),
                work: Work::new(),
            }),
        }
    }
}

impl<Request, Response, Error> fmt::Debug for Script<Request, Response, Error> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("readiness", &self.readiness_counts())
            .field("work", &self.shared.work)
            .finish_non_exhaustive()
    }
}

/// No panic is raised while one of the locks is held, but for one in the
/// `clone` of a request, which changes nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
