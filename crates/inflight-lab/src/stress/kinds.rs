use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tokio::task;
use tower::layer::Layer;
use tower::util::BoxCloneSyncService;
use tower_inflight::algorithm::Limit;
use tower_inflight::{
    AdaptiveLayer, ConcurrencyLimitLayer, ConfigError, Outcome, PriorityQueueLayer, Rejection,
};

use super::errand::{Errand, Mishap};
use super::faults::Faults;
use super::restless::Restless;
use super::subject::Subject;
use super::witness;

/// One subject of each kind.
pub(crate) fn all(faults: &Arc<Faults>) -> Result<[Subject; 4], ConfigError> {
    Ok([
        no_line(faults)?,
        line(faults)?,
        priority_line(faults)?,
        adaptive(faults)?,
    ])
}

/// No line and no hook: a call is refused from one load.
fn no_line(faults: &Arc<Faults>) -> Result<Subject, ConfigError> {
    let layer = ConcurrencyLimitLayer::builder().weight(weight).build()?;
    let limiter = layer.limiter();
    Ok(Subject::new("no line", limiter, None, faults, |workshop| {
        BoxCloneSyncService::new(layer.layer(workshop))
    }))
}

/// A line, first come, first served, as long as it takes.
fn line(faults: &Arc<Faults>) -> Result<Subject, ConfigError> {
    let told = Arc::new(AtomicU64::new(0));
    let layer = ConcurrencyLimitLayer::builder()
        .queue_limit(QUEUE_LIMIT)
        .weight(weight)
        .on_rejected(counting(&told))
        .build()?;
    let limiter = layer.limiter();
    Ok(Subject::new(
        "line",
        limiter,
        Some(told),
        faults,
        |workshop| BoxCloneSyncService::new(layer.layer(workshop)),
    ))
}

/// A line by priority, with a longest wait and a hook that takes its time.
fn priority_line(faults: &Arc<Faults>) -> Result<Subject, ConfigError> {
    let told = Arc::new(AtomicU64::new(0));
    let count = counting(&told);
    let layer = PriorityQueueLayer::builder(priority)
        .queue_limit(QUEUE_LIMIT)
        .queue_timeout(QUEUE_TIMEOUT)
        .weight(weight)
        .on_rejected_async(move |rejection| {
            count(&rejection);
            task::yield_now()
        })
        .build()?;
    let (name, limiter) = ("priority line", layer.limiter());
    Ok(Subject::new(
        name,
        limiter,
        Some(told),
        faults,
        |workshop| BoxCloneSyncService::new(layer.layer(workshop)),
    ))
}

/// A limit that an algorithm moves with every call that ends.
fn adaptive(faults: &Arc<Faults>) -> Result<Subject, ConfigError> {
    let told = Arc::new(AtomicU64::new(0));
    let max_limit = Limit::new(MAX_LIMIT).expect("it is a limit");
    let layer = AdaptiveLayer::builder(Restless::new(max_limit))
        .queue_limit(QUEUE_LIMIT)
        .priority(priority)
        .weight(weight)
        .classify(|result: &Result<(), Mishap>| match result {
            Ok(()) => Outcome::Success,
            Err(Mishap) => Outcome::Ignore,
        })
        .on_rejected(counting(&told))
        .build()?;
    let limiter = layer.limiter();
    Ok(Subject::new(
        "adaptive",
        limiter,
        Some(told),
        faults,
        |workshop| BoxCloneSyncService::new(layer.layer(workshop)),
    ))
}

/// A hook that counts, and notes it for the call that it is told of.
fn counting(told: &Arc<AtomicU64>) -> impl Fn(&Rejection) + Send + Sync + use<> {
    let told = Arc::clone(told);
    move |rejection| {
        told.fetch_add(1, Relaxed);
        witness::note_rejection(rejection.reason());
    }
}

fn priority(errand: &Errand) -> i32 {
    errand.priority
}

fn weight(errand: &Errand) -> u32 {
    errand.weight
}

/// How many may wait where anybody may: less than there are callers, so that
/// the line fills.
pub(crate) const QUEUE_LIMIT: usize = 10;

/// About as long as the wait is when a thread is interrupted.
const QUEUE_TIMEOUT: Duration = Duration::from_micros(500);

/// The most that an algorithm makes of a limit.
const MAX_LIMIT: usize = 16;
