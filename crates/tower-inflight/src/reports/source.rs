use inflight_core::Reason;
use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder};

use super::catalogue;

/// Asks one recorder for the series of one name.
pub(super) struct Source<'a> {
    pub(super) recorder: &'a dyn Recorder,
    pub(super) name: Option<&'static str>,
}

/// One more label, beside the limiter's name.
type Also = Option<(&'static str, &'static str)>;

impl Source<'_> {
    pub(super) fn gauge(&self, series: &'static str) -> Gauge {
        self.recorder
            .register_gauge(&self.key(series, None), &METADATA)
    }

    pub(super) fn counter(&self, series: &'static str, also: Also) -> Counter {
        self.recorder
            .register_counter(&self.key(series, also), &METADATA)
    }

    pub(super) fn rejected(&self, reason: Reason) -> (Reason, Counter) {
        let also = Some(("reason", reason.as_str()));
        (reason, self.counter(catalogue::REJECTED, also))
    }

    pub(super) fn histogram(&self, series: &'static str, also: Also) -> Histogram {
        self.recorder
            .register_histogram(&self.key(series, also), &METADATA)
    }

    fn key(&self, series: &'static str, also: Also) -> Key {
        let limiter = self.name.map(|name| ("limiter", name));
        let labels = limiter.into_iter().chain(also);
        let labels: Vec<_> = labels
            .map(|(label, value)| Label::from_static_parts(label, value))
            .collect();
        Key::from_parts(series, labels)
    }
}

static METADATA: Metadata<'static> =
    Metadata::new("tower_inflight", Level::INFO, Some("tower_inflight"));
