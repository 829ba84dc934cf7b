use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use tower::util::BoxCloneSyncService;
use tower_inflight::{Error, Limiter, LimiterOptions};

use super::errand::{Errand, Mishap};
use super::faults::Faults;
use super::floor::Floor;
use super::workshop::Workshop;

/// A limiter that is put under stress, and what counts beside it.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) limiter: Limiter,
    pub(crate) floor: Arc<Floor>,
    /// Whether it tells of rejections.
    pub(crate) tells: bool,
    service: Limited,
    arrived: AtomicU64,
    told: Arc<AtomicU64>,
}

/// The limited service, whichever layer is in it.
pub(crate) type Limited = BoxCloneSyncService<Errand, (), Error<Mishap>>;

impl Subject {
    /// `told` counts what its hook is told, if it has one.
    pub(crate) fn new(
        name: &'static str,
        limiter: Limiter,
        told: Option<Arc<AtomicU64>>,
        faults: &Arc<Faults>,
        around: impl FnOnce(Workshop) -> Limited,
    ) -> Self {
        let floor = Arc::new(Floor::new(Arc::clone(faults)));
        let workshop = Workshop::new(Arc::clone(&floor), Arc::clone(faults));
        Self {
            name,
            limiter,
            floor,
            tells: told.is_some(),
            service: around(workshop),
            arrived: AtomicU64::new(0),
            told: told.unwrap_or_default(),
        }
    }

    /// A clone of the one limited service.
    pub(crate) fn service(&self) -> Limited {
        self.service.clone()
    }

    pub(crate) fn count_arrival(&self) {
        self.arrived.fetch_add(1, Relaxed);
    }

    /// How many calls there have been, ever.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived.load(Relaxed)
    }

    /// How many rejections its hook was told of, ever.
    pub(crate) fn told(&self) -> u64 {
        self.told.load(Relaxed)
    }

    /// The most that its own algorithm makes of its limit, if it has one.
    pub(crate) fn own_highest(&self) -> Option<usize> {
        match self.limiter.options() {
            LimiterOptions::Adaptive(options) => Some(options.algorithm.max_limit.get()),
            _ => None,
        }
    }
}
