use std::num::NonZeroU64;
use std::ptr;
use std::time::Duration;

use inflight_core::{Outcome, Reason};
use metrics::{Counter, Gauge, Histogram, Recorder};

use super::source::Source;
use super::{Phase, Reasons, catalogue};
use crate::clock::{Clock, Moment};

/// The series of one name, as one recorder gave them.
pub(super) struct Series {
    pub(super) name: Option<&'static str>,
    /// Where the recorder is, to tell it from others.
    pub(super) recorder: usize,
    pub(super) clock: Clock,
    pub(super) gauges: Gauges,
    pub(super) admitted: Counter,
    pub(super) exempt: Counter,
    pub(super) hook_failures: Counter,
    pub(super) queue_wait: Histogram,
    rejected: Box<[(Reason, Counter)]>,
    cancelled: [Counter; 2],
    service: [Histogram; 3],
}

/// When a wait or the work of a call began, on the clock of its series.
///
/// One word, an absent one included: every call moves it, even where nobody
/// collects.
pub(crate) type Since = NonZeroU64;

/// What is read from the limiters themselves, at each collection.
pub(super) struct Gauges {
    pub(super) limit: Gauge,
    pub(super) max_limit: Gauge,
    pub(super) in_flight: Gauge,
    pub(super) queued: Gauge,
}

impl Series {
    pub(super) fn register(
        recorder: &dyn Recorder,
        name: Option<&'static str>,
        reasons: Reasons,
    ) -> Self {
        catalogue::describe(recorder);
        let of = Source { recorder, name };
        Self {
            name,
            recorder: ptr::from_ref(recorder).addr(),
            clock: Clock::start(),
            gauges: Gauges {
                limit: of.gauge(catalogue::LIMIT),
                max_limit: of.gauge(catalogue::MAX_LIMIT),
                in_flight: of.gauge(catalogue::IN_FLIGHT),
                queued: of.gauge(catalogue::QUEUED),
            },
            admitted: of.counter(catalogue::ADMITTED, None),
            exempt: of.counter(catalogue::EXEMPT, None),
            hook_failures: of.counter(catalogue::HOOK_FAILURES, None),
            queue_wait: of.histogram(catalogue::QUEUE_WAIT, None),
            rejected: reasons
                .list()
                .iter()
                .map(|&reason| of.rejected(reason))
                .collect(),
            cancelled: ["queued", "running"]
                .map(|phase| of.counter(catalogue::CANCELLED, Some(("phase", phase)))),
            service: ["ignore", "overload", "success"]
                .map(|outcome| of.histogram(catalogue::SERVICE, Some(("outcome", outcome)))),
        }
    }

    pub(super) fn since(&self, moment: Moment) -> Since {
        // What begins with the clock begins a nanosecond later, and so does all.
        NonZeroU64::MIN.saturating_add(self.clock.at(moment))
    }

    /// How long it is since then.
    pub(super) fn elapsed(&self, since: Since) -> Duration {
        let now = self.clock.now().saturating_add(1);
        Duration::from_nanos(now.saturating_sub(since.get()))
    }

    /// `None` for a reason that this kind of limiter never gives.
    pub(super) fn rejected(&self, reason: Reason) -> Option<&Counter> {
        let mut rejected = self.rejected.iter();
        rejected
            .find(|(listed, _)| *listed == reason)
            .map(|(_, counter)| counter)
    }

    pub(super) fn cancelled(&self, phase: Phase) -> &Counter {
        match phase {
            Phase::Queued => &self.cancelled[0],
            Phase::Running => &self.cancelled[1],
        }
    }

    pub(super) fn service(&self, outcome: Outcome) -> &Histogram {
        match outcome {
            Outcome::Overload => &self.service[1],
            Outcome::Success => &self.service[2],
            _ => &self.service[0],
        }
    }

    /// Keeps the counters from being taken for idle: an exporter that forgets
    /// one also forgets what is counted later.
    pub(super) fn touch(&self) {
        let single = [&self.admitted, &self.exempt, &self.hook_failures];
        let rejected = self.rejected.iter().map(|(_, counter)| counter);
        let labelled = rejected.chain(&self.cancelled);
        for counter in single.into_iter().chain(labelled) {
            counter.increment(0);
        }
    }
}
