use std::fmt;
use std::sync::{Arc, Weak};

use inflight_core::{Outcome, Reason};
use metrics::with_recorder;

use super::series::{Series, Since};
use super::{Gauged, Phase, Reasons, registry};
use crate::clock::Moment;

/// Counts and times the calls of a limiter, if anybody collects it.
#[derive(Clone)]
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct Reports(Option<Arc<Series>>);

impl Reports {
    /// Takes the series of `name` from the recorder that is now in force.
    ///
    /// The facade does not say whether there is one. Its own, which stands in
    /// where there is none, has no size, unlike all that keep anything.
    pub(crate) fn attach(name: Option<&'static str>, reasons: Reasons) -> Self {
        Self(with_recorder(|recorder| {
            let is_there = size_of_val(recorder) > 0;
            is_there.then(|| Arc::new(Series::register(recorder, name, reasons)))
        }))
    }

    /// Has `limiter` read at each collection for as long as it lives.
    pub(crate) fn watch<G: Gauged + 'static>(&self, limiter: &Arc<G>) {
        if let Some(series) = &self.0 {
            let limiter: Weak<G> = Arc::downgrade(limiter);
            registry::add(series, limiter);
        }
    }

    /// Whether anybody collects.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// When something begins, if anybody will want to know how long it took.
    #[inline]
    pub(crate) fn since(&self, now: impl FnOnce() -> Moment) -> Option<Since> {
        self.0.as_ref().map(|series| series.since(now()))
    }

    #[inline]
    pub(crate) fn admitted(&self) {
        if let Some(series) = &self.0 {
            series.admitted.increment(1);
        }
    }

    #[inline]
    pub(crate) fn exempt(&self) {
        if let Some(series) = &self.0 {
            series.exempt.increment(1);
        }
    }

    pub(crate) fn rejected(&self, reason: Reason) {
        if let Some(series) = &self.0 {
            let counter = series.rejected(reason);
            debug_assert!(counter.is_some(), "{reason} is not listed");
            if let Some(counter) = counter {
                counter.increment(1);
            }
        }
    }

    pub(crate) fn hook_failed(&self) {
        if let Some(series) = &self.0 {
            series.hook_failures.increment(1);
        }
    }

    /// A call that joined the line has had its answer.
    pub(crate) fn waited(&self, since: Since) {
        if let Some(series) = &self.0 {
            series.queue_wait.record(series.elapsed(since));
        }
    }

    /// A call that was admitted has ended.
    pub(crate) fn worked(&self, since: Since, outcome: Outcome) {
        if let Some(series) = &self.0 {
            series.service(outcome).record(series.elapsed(since));
        }
    }

    /// The caller has gone away. That ends a wait as well as an answer does,
    /// but work that was given up says nothing about how long it takes.
    pub(crate) fn cancelled(&self, since: Since, phase: Phase) {
        if let Some(series) = &self.0 {
            series.cancelled(phase).increment(1);
        }
        if let Phase::Queued = phase {
            self.waited(since);
        }
    }
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reports").field(&self.is_on()).finish()
    }
}
