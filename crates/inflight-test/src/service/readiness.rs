use std::collections::VecDeque;
use std::task::Waker;

use super::ReadinessCounts;

/// Who is ready, and who waits to be.
pub(super) struct Readiness<E> {
    places: usize,
    polls: usize,
    reserved: usize,
    clones: usize,
    named: usize,
    failures: VecDeque<Failure<E>>,
    waiting: Vec<Waiting>,
}

pub(super) enum Failure<E> {
    Error(E),
    Panic,
}

pub(super) enum Answer<E> {
    Failed(Failure<E>),
    /// The waker that was replaced, to be dropped outside the lock.
    Pending(Option<Waker>),
    Ready,
}

/// Which clone of the service asks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct CloneId(usize);

/// Wakers to be woken outside the lock.
#[must_use = "whoever may be ready now has to be woken"]
pub(super) struct ToWake(Vec<Waker>);

struct Waiting {
    clone: CloneId,
    /// None once it was woken: it keeps its turn until it polls.
    waker: Option<Waker>,
}

impl ToWake {
    pub(super) fn wake(self) {
        self.0.into_iter().for_each(Waker::wake);
    }
}

impl<E> Readiness<E> {
    pub(super) fn new() -> Self {
        Self {
            places: usize::MAX,
            polls: 0,
            reserved: 0,
            clones: 0,
            named: 0,
            failures: VecDeque::new(),
            waiting: Vec::new(),
        }
    }

    pub(super) fn add_clone(&mut self) -> CloneId {
        self.clones += 1;
        self.named += 1;
        CloneId(self.named)
    }

    pub(super) fn remove_clone(&mut self, clone: CloneId) -> ToWake {
        self.clones -= 1;
        // It may have been woken for a place that somebody else can use now.
        self.waiting.retain(|waiting| waiting.clone != clone);
        self.ready_wakers()
    }

    pub(super) fn poll(&mut self, clone: CloneId, holds: bool, waker: &Waker) -> Answer<E> {
        self.polls += 1;
        if holds {
            return Answer::Ready;
        }
        let answer = if let Some(failure) = self.failures.pop_front() {
            Answer::Failed(failure)
        } else if self.reserved < self.places {
            self.reserved += 1;
            Answer::Ready
        } else {
            return Answer::Pending(self.wait(clone, waker));
        };
        self.waiting.retain(|waiting| waiting.clone != clone);
        answer
    }

    /// Ends a reservation, by a call or because its clone is gone.
    pub(super) fn give_back(&mut self) -> ToWake {
        self.reserved -= 1;
        self.ready_wakers()
    }

    pub(super) fn set_places(&mut self, places: usize) -> ToWake {
        self.places = places;
        self.ready_wakers()
    }

    pub(super) fn fail(&mut self, failure: Failure<E>) -> ToWake {
        self.failures.push_back(failure);
        self.ready_wakers()
    }

    pub(super) fn counts(&self) -> ReadinessCounts {
        ReadinessCounts {
            polls: self.polls,
            reserved: self.reserved,
            waiting: self.waiting.len(),
            clones: self.clones,
        }
    }

    fn wait(&mut self, clone: CloneId, waker: &Waker) -> Option<Waker> {
        let waker = Some(waker.clone());
        let known = self.waiting.iter_mut().find(|it| it.clone == clone);
        if let Some(waiting) = known {
            return std::mem::replace(&mut waiting.waker, waker);
        }
        self.waiting.push(Waiting { clone, waker });
        None
    }

    /// Takes the wakers of as many as would not be pending now, and of no one
    /// else: a wake-up that is swallowed strands somebody, and shows.
    fn ready_wakers(&mut self) -> ToWake {
        let free = self.places.saturating_sub(self.reserved);
        let ready = free.saturating_add(self.failures.len());
        let first = self.waiting.iter_mut().take(ready);
        ToWake(first.filter_map(|waiting| waiting.waker.take()).collect())
    }
}
