use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use inflight_core::Snapshot;

use super::Gauged;
use super::series::{Gauges, Series};

/// Sets the gauges of all limiters to what they are now.
///
/// Call it before each collection; see [`metrics`](crate::metrics). It looks at
/// every limiter that was built while a recorder was in force, and costs the
/// calls nothing but, while somebody waits, the limiter's lock for a moment.
pub fn publish() {
    // They outlive the lock: the last handle may be among them, and with it
    // goes the application's hook.
    let mut limiters = Vec::new();
    registry().retain(|_, entry| entry.publish(&mut limiters));
}

/// Has `limiter` read at each collection for as long as it lives.
pub(super) fn add(series: &Arc<Series>, limiter: Weak<dyn Gauged>) {
    let key = (series.recorder, series.name);
    let mut registry = registry();
    let entry = registry.entry(key).or_insert_with(|| Entry {
        series: Arc::clone(series),
        limiters: Vec::new(),
    });
    // A recorder may have forgotten what it gave out before.
    entry.series = Arc::clone(series);
    entry.add(limiter);
}

/// All limiters that report under one name to one recorder.
struct Entry {
    series: Arc<Series>,
    limiters: Vec<Weak<dyn Gauged>>,
}

impl Entry {
    /// Where nobody ever publishes, those that are gone go here, at a cost that
    /// many additions share.
    fn add(&mut self, limiter: Weak<dyn Gauged>) {
        if self.limiters.len() == self.limiters.capacity() {
            self.limiters.retain(|limiter| limiter.strong_count() > 0);
            self.limiters.reserve(self.limiters.len().max(4));
        }
        self.limiters.push(limiter);
    }

    /// Whether anybody is left to be published next time.
    fn publish(&mut self, limiters: &mut Vec<Arc<dyn Gauged>>) -> bool {
        let mut sum = Sum::default();
        self.limiters.retain(|limiter| {
            let Some(limiter) = limiter.upgrade() else {
                return false;
            };
            sum.add(limiter.snapshot());
            limiters.push(limiter);
            true
        });
        sum.set(&self.series.gauges);
        self.series.touch();
        !self.limiters.is_empty()
    }
}

/// The numbers of all limiters of a name together.
#[derive(Default)]
struct Sum {
    limit: f64,
    max_limit: f64,
    in_flight: f64,
    queued: f64,
}

impl Sum {
    fn add(&mut self, snapshot: Snapshot) {
        self.limit += to_f64(snapshot.limit);
        self.max_limit += to_f64(snapshot.max_limit);
        self.in_flight += to_f64(snapshot.in_flight);
        self.queued += to_f64(snapshot.queued);
    }

    fn set(&self, gauges: &Gauges) {
        gauges.limit.set(self.limit);
        gauges.max_limit.set(self.max_limit);
        gauges.in_flight.set(self.in_flight);
        gauges.queued.set(self.queued);
    }
}

/// Exact, since no limiter counts beyond 2^32.
fn to_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

type Registry = BTreeMap<(usize, Option<&'static str>), Entry>;

fn registry() -> MutexGuard<'static, Registry> {
    // An entry is changed whole or not at all; what a recorder that panicked
    // has left behind is set again the next time.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

static REGISTRY: Mutex<Registry> = Mutex::new(BTreeMap::new());
