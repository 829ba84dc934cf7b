use std::fmt;
use std::task::{Context, Poll};

use tower_service::Service;

use super::Script;
use super::readiness::{Answer, CloneId, Failure};
use crate::Job;

/// A service that follows a [`Script`], and reserves readiness exactly.
///
/// `poll_ready` takes one of the places that the script gives, and the place
/// belongs to that very clone: it is spent by `call` and given back by a
/// drop, and nobody else is told to be ready for it meanwhile. A clone starts
/// empty.
pub struct ScriptedService<Request, Response, Error> {
    script: Script<Request, Response, Error>,
    id: CloneId,
    is_ready: bool,
}

impl<Request, Response, Error> ScriptedService<Request, Response, Error> {
    pub(super) fn new(script: Script<Request, Response, Error>) -> Self {
        let id = script.readiness().add_clone();
        Self {
            script,
            id,
            is_ready: false,
        }
    }

    /// Whether this clone holds a place.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    fn give_back(&mut self) {
        self.is_ready = false;
        let to_wake = self.script.readiness().give_back();
        to_wake.wake();
    }
}

impl<Request, Response, Error> Service<Request> for ScriptedService<Request, Response, Error> {
    type Response = Response;
    type Error = Error;
    type Future = Job<Result<Response, Error>>;

    /// # Panics
    ///
    /// If [`Script::panic_in_readiness`] says so.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let waker = context.waker();
        let answer = self.script.readiness().poll(self.id, self.is_ready, waker);
        match answer {
            Answer::Failed(Failure::Error(error)) => Poll::Ready(Err(error)),
            Answer::Failed(Failure::Panic) => panic!("`poll_ready` panics, as scripted"),
            Answer::Pending(_replaced) => Poll::Pending,
            Answer::Ready => {
                self.is_ready = true;
                Poll::Ready(Ok(()))
            }
        }
    }

    /// # Panics
    ///
    /// If this clone is not ready, or if [`Work::panic_at_start`] says so.
    ///
    /// [`Work::panic_at_start`]: crate::Work::panic_at_start
    #[track_caller]
    fn call(&mut self, request: Request) -> Self::Future {
        assert!(
            self.is_ready,
            "`poll_ready` must return `Ready` before `call`"
        );
        self.give_back();
        self.script.start(request)
    }
}

impl<Request, Response, Error> Clone for ScriptedService<Request, Response, Error> {
    // By hand, since readiness is not cloned.
    fn clone(&self) -> Self {
        self.script.service()
    }
}

impl<Request, Response, Error> Drop for ScriptedService<Request, Response, Error> {
    fn drop(&mut self) {
        if self.is_ready {
            self.give_back();
        }
        let to_wake = self.script.readiness().remove_clone(self.id);
        to_wake.wake();
    }
}

impl<Request, Response, Error> fmt::Debug for ScriptedService<Request, Response, Error> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedService")
            .field("id", &self.id)
            .field("is_ready", &self.is_ready)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::task::Waker;

    use super::*;
    use crate::{CountingWaker, Task};

    type Scripted = ScriptedService<u8, &'static str, &'static str>;

    fn script(ready_at_once: usize) -> Script<u8, &'static str, &'static str> {
        let script = Script::new();
        script.set_ready_at_once(ready_at_once);
        script
    }

    fn poll(service: &mut Scripted, counter: &CountingWaker) -> Poll<Result<(), &'static str>> {
        service.poll_ready(&mut Context::from_waker(&counter.waker()))
    }

    fn is_ready(service: &mut Scripted) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        service.poll_ready(&mut context) == Poll::Ready(Ok(()))
    }

    #[test]
    fn a_place_belongs_to_one_clone() {
        let script = script(1);
        let (mut first, mut second) = (script.service(), script.service());
        assert!(is_ready(&mut first));
        assert!(is_ready(&mut first), "asked again, it stays ready");
        assert!(!is_ready(&mut second));
        let counts = script.readiness_counts();
        assert_eq!((counts.reserved, counts.waiting, counts.polls), (1, 1, 3));
    }

    #[test]
    fn a_clone_starts_empty() {
        let script = script(1);
        let mut service = script.service();
        assert!(is_ready(&mut service));
        let mut clone = service.clone();
        assert!(service.is_ready() && !clone.is_ready());
        assert!(!is_ready(&mut clone));
        assert_eq!(script.readiness_counts().clones, 2);
    }

    #[test]
    fn a_call_spends_the_place_and_wakes_one_who_waits() {
        let script = script(1);
        let mut services = [(); 3].map(|()| script.service());
        let counters = [(); 3].map(|()| CountingWaker::new());
        for (service, counter) in services.iter_mut().zip(&counters) {
            let _ = poll(service, counter);
        }
        let job = services[0].call(1);
        assert_eq!(counters.each_ref().map(CountingWaker::wakes), [0, 1, 0]);
        assert!(is_ready(&mut services[1]));
        assert!(!is_ready(&mut services[0]));
        assert_eq!(script.readiness_counts().reserved, 1);
        assert_eq!(script.work().counts().running, 1);
        drop(job);
        assert_eq!(script.requests(), [1]);
    }

    #[test]
    fn a_dropped_clone_passes_its_place_on() {
        let script = script(1);
        let mut services = [(); 3].map(|()| Some(script.service()));
        let counters = [(); 3].map(|()| CountingWaker::new());
        for (service, counter) in services.iter_mut().zip(&counters) {
            let _ = poll(service.as_mut().unwrap(), counter);
        }
        services[0] = None;
        assert_eq!(counters.each_ref().map(CountingWaker::wakes), [0, 1, 0]);
        services[1] = None;
        assert_eq!(counters.each_ref().map(CountingWaker::wakes), [0, 1, 1]);
        assert!(is_ready(services[2].as_mut().unwrap()));
        assert_eq!(script.readiness_counts().clones, 1);
    }

    #[test]
    fn raising_wakes_as_many_as_there_are_places() {
        let script = script(0);
        let mut services = [(); 3].map(|()| script.service());
        let counters = [(); 3].map(|()| CountingWaker::new());
        for (service, counter) in services.iter_mut().zip(&counters) {
            assert!(poll(service, counter).is_pending());
        }
        script.set_ready_at_once(2);
        assert_eq!(counters.each_ref().map(CountingWaker::wakes), [1, 1, 0]);
        assert!(is_ready(&mut services[0]));
        assert_eq!(script.readiness_counts().waiting, 2, "until they poll");
    }

    #[test]
    fn a_readiness_failure_is_told_once() {
        let script = script(0);
        let counter = CountingWaker::new();
        let mut service = script.service();
        assert!(poll(&mut service, &counter).is_pending());
        script.fail_readiness("gone");
        assert_eq!(counter.wakes(), 1);
        assert_eq!(poll(&mut service, &counter), Poll::Ready(Err("gone")));
        assert!(poll(&mut service, &counter).is_pending());
        script.set_ready_at_once(1);
        assert!(is_ready(&mut service));
    }

    #[test]
    fn a_readiness_panic_leaves_the_service_usable() {
        let script = script(1);
        let mut service = script.service();
        script.panic_in_readiness();
        assert!(catch_unwind(AssertUnwindSafe(|| is_ready(&mut service))).is_err());
        assert!(is_ready(&mut service));
    }

    #[test]
    #[should_panic(expected = "`poll_ready` must return `Ready` before `call`")]
    fn a_call_without_readiness_panics() {
        let mut service = script(1).service();
        assert!(is_ready(&mut service));
        drop(service.call(0));
        drop(service.call(1));
    }

    #[test]
    fn calls_end_as_the_script_says() {
        let script = script(1);
        script.answer_with(|request| {
            if *request == 0 {
                Ok("even")
            } else {
                Err("odd")
            }
        });
        script.work().finish(2, Ok("told"));
        script.work().panic_at_start(3);
        script.work().panic_at_poll(4, 2);
        let mut service = script.service();
        let mut call = |request| {
            assert!(is_ready(&mut service));
            Task::new(service.call(request))
        };
        assert_eq!(call(0).expect_ready(), Ok("even"));
        assert_eq!(call(1).expect_ready(), Err("odd"));
        assert_eq!(call(1).expect_ready(), Ok("told"));
        assert!(catch_unwind(AssertUnwindSafe(|| call(7))).is_err());
        call(2).expect_pending();
        assert_eq!(script.requests(), [0, 1, 1, 7, 2]);
        assert_eq!(script.work().counts().finished, 3);
    }
}
