use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::{Key, with_local_recorder};
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use tower_inflight::metrics::publish;

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A recorder for what one test builds, and for nobody else.
///
/// A publication reads all the limiters of the process, so one test at a time
/// has a meter.
pub(crate) struct Meter {
    recorder: DebuggingRecorder,
    _alone: Alone,
}

/// Nobody else publishes for as long as it lives.
pub(crate) struct Alone(#[expect(dead_code, reason = "it is held")] MutexGuard<'static, ()>);

/// What was counted since the last reading, by series:
/// `name{label=value,label=value}`.
pub(crate) struct Reading(BTreeMap<String, DebugValue>);

impl Meter {
    pub(crate) fn new() -> Self {
        Self {
            _alone: alone(),
            recorder: DebuggingRecorder::new(),
        }
    }

    /// Builds something while the recorder is in force.
    pub(crate) fn on<T>(&self, build: impl FnOnce() -> T) -> T {
        with_local_recorder(&self.recorder, build)
    }

    /// Reads what is there, without a publication.
    pub(crate) fn peek(&self) -> Reading {
        let snapshot = self.recorder.snapshotter().snapshot().into_vec();
        let series = snapshot
            .into_iter()
            .map(|(key, _, _, value)| (text(key.key()), value));
        Reading(series.collect())
    }

    pub(crate) fn collect(&self) -> Reading {
        publish();
        self.peek()
    }
}

impl Reading {
    #[track_caller]
    pub(crate) fn counter(&self, series: &str) -> u64 {
        match self.0.get(series) {
            Some(DebugValue::Counter(value)) => *value,
            other => panic!("no counter {series}: {other:?}"),
        }
    }

    /// A gauge, which has to be a whole number and not below 0.
    #[track_caller]
    pub(crate) fn gauge(&self, series: &str) -> u64 {
        let Some(DebugValue::Gauge(value)) = self.0.get(series) else {
            panic!("no gauge {series}");
        };
        let text = value.to_string();
        text.parse()
            .unwrap_or_else(|_| panic!("{series} is {text}"))
    }

    /// The gauges of a limiter: limit, max limit, in flight, queued.
    #[track_caller]
    pub(crate) fn gauges(&self, labels: &str) -> [u64; 4] {
        ["limit", "max_limit", "in_flight", "queued"]
            .map(|name| self.gauge(&format!("inflight_{name}{labels}")))
    }

    /// Everything that was recorded in a histogram, in any order.
    #[track_caller]
    pub(crate) fn seconds(&self, series: &str) -> Vec<f64> {
        let Some(DebugValue::Histogram(values)) = self.0.get(series) else {
            panic!("no histogram {series}");
        };
        let mut seconds: Vec<_> = values.iter().map(|value| value.into_inner()).collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    }

    /// The counters that are not 0.
    pub(crate) fn counted(&self) -> Vec<(&str, u64)> {
        let counters = self.0.iter().filter_map(|(series, value)| match value {
            DebugValue::Counter(count) if *count > 0 => Some((&**series, *count)),
            _ => None,
        });
        counters.collect()
    }

    pub(crate) fn sum(&self, name: &str) -> u64 {
        let counted = self.counted();
        let of_name = counted
            .iter()
            .filter(|(series, _)| series.starts_with(name));
        of_name.map(|(_, count)| count).sum()
    }

    pub(crate) fn series(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Keeps other tests from publishing meanwhile.
pub(crate) fn alone() -> Alone {
    // A test that failed has nothing of ours in its hands.
    Alone(ALONE.lock().unwrap_or_else(PoisonError::into_inner))
}

fn text(key: &Key) -> String {
    let labels: Vec<_> = key
        .labels()
        .map(|label| format!("{}={}", label.key(), label.value()))
        .collect();
    if labels.is_empty() {
        key.name().into()
    } else {
        format!("{}{{{}}}", key.name(), labels.join(","))
    }
}

static ALONE: Mutex<()> = Mutex::new(());
