use std::collections::VecDeque;
use std::time::Duration;

use super::arrivals::Call;

/// Workers, and the calls that wait for them, first come first served.
#[derive(Debug)]
pub(super) struct Server {
    workers: usize,
    contention: f64,
    busy: usize,
    waiting: VecDeque<(Call, Duration)>,
}

impl Server {
    pub(super) fn new(contention: f64) -> Self {
        Self {
            workers: 0,
            contention,
            busy: 0,
            waiting: VecDeque::new(),
        }
    }

    pub(super) fn set_workers(&mut self, workers: usize) {
        self.workers = workers;
    }

    /// Puts a call at the end of the line.
    pub(super) fn enter(&mut self, call: Call, demand: Duration) {
        self.waiting.push_back((call, demand));
    }

    /// Puts the next call on a free worker, if there are both, and says how
    /// long it will take.
    pub(super) fn start_next(&mut self) -> Option<(Call, Duration)> {
        if self.busy >= self.workers {
            return None;
        }
        let stretch = self.stretch();
        let (call, demand) = self.waiting.pop_front()?;
        self.busy += 1;
        Some((call, demand.mul_f64(stretch)))
    }

    /// Frees a worker.
    pub(super) fn finish(&mut self) {
        self.busy -= 1;
    }

    /// How much longer than alone a call takes that starts now, for what it
    /// shares with those that wait: memory, locks, caches.
    #[expect(clippy::cast_precision_loss, reason = "these are counts of calls")]
    fn stretch(&self) -> f64 {
        let present = self.busy + self.waiting.len();
        let excess = present.saturating_sub(self.workers);
        1.0 + self.contention * excess as f64 / self.workers as f64
    }
}
