use std::task::Waker;

use super::WorkCounts;

/// What the lock of [`Work`](super::Work) guards.
pub(super) struct State<T> {
    pub(super) counts: WorkCounts,
    pub(super) first_polls: Vec<usize>,
    entries: Vec<Entry<T>>,
}

/// What is known of one job, which need not have started.
pub(super) struct Entry<T> {
    pub(super) panic_at_start: bool,
    pub(super) panic_at_poll: Option<usize>,
    pub(super) on_drop: Option<Hook>,
    polls: usize,
    fate: Fate<T>,
}

pub(super) type Hook = Box<dyn FnOnce() + Send>;

pub(super) enum End<T> {
    Panic,
    Value(T),
}

/// What a poll finds.
pub(super) enum Step<T> {
    End(End<T>),
    /// The waker that was replaced, to be dropped outside the lock.
    Pending(Option<Waker>),
    PolledAgain,
}

enum Fate<T> {
    Open(Option<Waker>),
    Told(End<T>),
    Over,
}

impl<T> State<T> {
    pub(super) fn new() -> Self {
        Self {
            counts: WorkCounts::default(),
            first_polls: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Gives the number of the job, and whether it panics at once.
    pub(super) fn start(&mut self) -> (usize, bool) {
        let job = self.counts.started;
        self.counts.started += 1;
        let panics = self.entry(job).panic_at_start;
        if panics {
            self.entry(job).fate = Fate::Over;
            self.counts.panicked += 1;
        } else {
            self.counts.alive += 1;
            self.counts.running += 1;
            self.counts.peak = self.counts.peak.max(self.counts.running);
        }
        (job, panics)
    }

    pub(super) fn poll(&mut self, job: usize, waker: &Waker) -> Step<T> {
        let entry = self.entry(job);
        let step = entry.poll(waker);
        let is_first = entry.polls == 1;
        if is_first {
            self.first_polls.push(job);
        }
        match step {
            Step::End(End::Panic) => self.counts.panicked += 1,
            Step::End(End::Value(_)) => self.counts.finished += 1,
            Step::Pending(_) | Step::PolledAgain => return step,
        }
        self.counts.running -= 1;
        step
    }

    /// Gives what has to be run and dropped outside the lock.
    pub(super) fn discard(&mut self, job: usize) -> (Option<Hook>, impl Sized + use<T>) {
        let entry = self.entry(job);
        let hook = entry.on_drop.take();
        let fate = std::mem::replace(&mut entry.fate, Fate::Over);
        self.counts.alive -= 1;
        if !matches!(fate, Fate::Over) {
            self.counts.running -= 1;
            self.counts.dropped += 1;
        }
        (hook, fate)
    }

    pub(super) fn entry(&mut self, job: usize) -> &mut Entry<T> {
        if job >= self.entries.len() {
            self.entries.resize_with(job + 1, Entry::new);
        }
        &mut self.entries[job]
    }
}

impl<T> Entry<T> {
    fn new() -> Self {
        Self {
            panic_at_start: false,
            panic_at_poll: None,
            on_drop: None,
            polls: 0,
            fate: Fate::Open(None),
        }
    }

    /// Gives the waker to wake, or the end back if there is one already.
    pub(super) fn end(&mut self, end: End<T>) -> Result<Option<Waker>, End<T>> {
        let Fate::Open(waker) = &mut self.fate else {
            return Err(end);
        };
        let waker = waker.take();
        self.fate = Fate::Told(end);
        Ok(waker)
    }

    fn poll(&mut self, waker: &Waker) -> Step<T> {
        self.polls += 1;
        let is_over = matches!(self.fate, Fate::Over);
        if self.panic_at_poll == Some(self.polls) && !is_over {
            self.fate = Fate::Over;
            return Step::End(End::Panic);
        }
        match std::mem::replace(&mut self.fate, Fate::Over) {
            Fate::Open(old) => {
                self.fate = Fate::Open(Some(waker.clone()));
                Step::Pending(old)
            }
            Fate::Told(end) => Step::End(end),
            Fate::Over => Step::PolledAgain,
        }
    }
}
