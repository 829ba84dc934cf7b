use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::thread;

use tower::Service;
use tower_inflight::{Error, Outcome};

use super::errand::{Errand, Mishap};
use super::fate::Ending;
use super::subject::{Limited, Subject};
use super::witness;
use super::witness::Notes;
use super::workshop::Work;

/// One call, seen at every step.
pub(crate) struct Call {
    /// `None` once it has ended.
    attempt: Option<Attempt>,
    ended: Ended,
}

type Attempt = Pin<Box<dyn Future<Output = Result<(), Error<Mishap>>> + Send>>;

/// How a call ended, and what was seen of it.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    pub(crate) ending: Ending,
    pub(crate) notes: Notes,
    /// A panic that is none of the errands'.
    pub(crate) foreign_panic: Option<String>,
    /// Whether it went on in another runtime than it had begun in.
    pub(crate) moved: bool,
}

/// By which door a call comes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Door {
    Acquire,
    Run,
    Service,
    TryAcquire,
}

impl Call {
    /// Makes the call; whatever the limiter decides at once, it has decided.
    pub(crate) fn make(
        door: Door,
        errand: Errand,
        subject: &Subject,
        service: &mut Limited,
    ) -> Self {
        let (made, notes) = witness::during(|| knock(door, errand, subject, service));
        match made {
            Ok(attempt) => Self {
                attempt: Some(attempt),
                ended: Ended::with(Ending::GivenUp, notes),
            },
            Err(panic) => Self {
                attempt: None,
                ended: Ended::new(Err(panic), notes),
            },
        }
    }

    /// Is called when it goes on in another runtime.
    pub(crate) fn moves(&mut self) {
        self.ended.moved = true;
    }

    /// Drops whatever is left of it.
    pub(crate) fn give_up(mut self) -> Ended {
        self.end();
        self.ended
    }

    fn end(&mut self) {
        let attempt = self.attempt.take();
        let (dropped, notes) = witness::during(|| drop(attempt));
        self.ended.notes += notes;
        if let Err(panic) = dropped {
            self.ended.panicked(&*panic);
        }
    }
}

impl Future for Call {
    type Output = Ended;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        if let Some(attempt) = &mut self.attempt {
            let (polled, notes) = witness::during(|| attempt.as_mut().poll(cx));
            self.ended.notes += notes;
            match polled {
                Ok(polled) => self.ended.ending = ending(ready!(polled)),
                Err(panic) => self.ended.panicked(&*panic),
            }
            self.end();
        }
        Poll::Ready(self.ended.clone())
    }
}

impl Ended {
    /// The end of a call that has returned or panicked.
    pub(crate) fn new(outcome: thread::Result<Result<(), Error<Mishap>>>, notes: Notes) -> Self {
        let mut ended = Self::with(Ending::Panicked, notes);
        match outcome {
            Ok(result) => ended.ending = ending(result),
            Err(panic) => ended.panicked(&*panic),
        }
        ended
    }

    fn with(ending: Ending, notes: Notes) -> Self {
        Self {
            ending,
            notes,
            foreign_panic: None,
            moved: false,
        }
    }

    fn panicked(&mut self, payload: &(dyn Any + Send)) {
        self.ending = Ending::Panicked;
        if !payload.is::<Mishap>() {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            self.foreign_panic = Some(text.unwrap_or("of an unknown kind").to_owned());
        }
    }
}

fn ending(result: Result<(), Error<Mishap>>) -> Ending {
    match result {
        Ok(()) | Err(Error::Service(Mishap)) => Ending::Done,
        Err(Error::Rejected(rejection)) => Ending::Rejected(rejection.reason()),
    }
}

fn knock(door: Door, errand: Errand, subject: &Subject, service: &mut Limited) -> Attempt {
    subject.count_arrival();
    let floor = Arc::clone(&subject.floor);
    match door {
        Door::Acquire => {
            let acquire = subject.limiter.acquire_with(errand.ticket());
            Box::pin(async move {
                let _permit = acquire.await?;
                Work::begin(&floor, errand).await.map_err(Error::Service)
            })
        }
        Door::Run => {
            let errand = Errand {
                weight: 1,
                ..errand
            };
            let work = async move { Work::begin(&floor, errand).await };
            let run = subject.limiter.run(work);
            Box::pin(async move { run.await?.map_err(Error::Service) })
        }
        Door::Service => service.call(errand),
        Door::TryAcquire => {
            let tried = subject.limiter.try_acquire_with(errand.ticket());
            Box::pin(async move {
                let permit = tried?.measured();
                let done = Work::begin(&floor, errand).await;
                permit.finish(if done.is_ok() {
                    Outcome::Success
                } else {
                    Outcome::Overload
                });
                done.map_err(Error::Service)
            })
        }
    }
}
