use std::sync::{Arc, Mutex};

use tower_inflight::algorithm::{Algorithm, Limit, Sample};
use tower_inflight::{AdaptiveLayer, Outcome};

/// An algorithm that learns nothing, and keeps what it was told.
#[derive(Clone)]
pub(crate) struct Recorder {
    limit: Limit,
    samples: Arc<Mutex<Vec<Sample>>>,
}

impl Recorder {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit: limit_of(limit),
            samples: Arc::default(),
        }
    }

    pub(crate) fn layer(&self) -> AdaptiveLayer {
        AdaptiveLayer::new(self.clone())
    }

    pub(crate) fn samples(&self) -> Vec<Sample> {
        self.samples.lock().unwrap().clone()
    }

    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.samples().iter().map(|sample| sample.outcome).collect()
    }

    /// In whole milliseconds.
    pub(crate) fn latencies(&self) -> Vec<u64> {
        let samples = self.samples();
        let millis = samples.iter().map(|sample| sample.latency / 1_000_000);
        millis.collect()
    }

    #[track_caller]
    pub(crate) fn only(&self) -> Sample {
        match self.samples()[..] {
            [sample] => sample,
            ref samples => panic!("one sample was expected, not {samples:?}"),
        }
    }
}

impl Algorithm for Recorder {
    fn limit(&self) -> Limit {
        self.limit
    }

    fn observe(&mut self, sample: &Sample) -> Limit {
        self.samples.lock().unwrap().push(*sample);
        self.limit
    }
}

pub(crate) fn limit_of(limit: usize) -> Limit {
    Limit::new(limit).unwrap()
}
